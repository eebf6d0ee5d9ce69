// EXPECT: true unreach-call LP64
// Options in groups, with arguments in the same word and in the next one, and words between them, which go to the end.
#include <string.h>
#include <unistd.h>

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    char w0[] = "tool", w1[] = "-vx", w2[] = "in", w3[] = "-oout", w4[] = "-n", w5[] = "12", w6[] = "--", w7[] = "-v";
    char *words[] = {w0, w1, w2, w3, w4, w5, w6, w7, 0};
    opterr = 0;
    check(getopt(8, words, "vo:n:") == 'v');
    check(getopt(8, words, "vo:n:") == '?' && optopt == 'x');
    check(getopt(8, words, "vo:n:") == 'o' && strcmp(optarg, "out") == 0);
    check(getopt(8, words, "vo:n:") == 'n' && strcmp(optarg, "12") == 0);
    check(getopt(8, words, "vo:n:") == -1);
    check(optind == 6 && words[6] == w2 && words[7] == w7 && words[5] == w6);
    return 0;
}
