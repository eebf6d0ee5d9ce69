// EXPECT: true unreach-call LP64
// Long options: names that are cut short, flags, arguments that are there, missing, or not allowed, names that could be several.
#include <getopt.h>
#include <string.h>

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int quiet;
static const struct option options[] = {
    {"output", required_argument, 0, 'o'}, {"colour", optional_argument, 0, 'c'},
    {"count", required_argument, 0, 'n'},  {"quiet", no_argument, &quiet, 7},
    {0, 0, 0, 0},
};

int main(void) {
    char *words[] = {"tool", "--out=a", "x", "--quiet", "--colour", "--co", "--quiet=1", "--none", "--count", 0};
    int index = -1;
    opterr = 0;
    check(getopt_long(9, words, ":o:", options, &index) == 'o' && strcmp(optarg, "a") == 0 && index == 0);
    check(getopt_long(9, words, ":o:", options, &index) == 0 && quiet == 7 && index == 3);
    check(getopt_long(9, words, ":o:", options, &index) == 'c' && optarg == 0);
    check(getopt_long(9, words, ":o:", options, &index) == '?' && optopt == 0);
    check(getopt_long(9, words, ":o:", options, &index) == '?' && optopt == 7);
    check(getopt_long(9, words, ":o:", options, &index) == '?' && optopt == 0);
    check(getopt_long(9, words, ":o:", options, &index) == ':' && optopt == 'n');
    check(getopt_long(9, words, ":o:", options, &index) == -1 && optind == 8 && strcmp(words[8], "x") == 0);
    return 0;
}
