// EXPECT: true unreach-call LP64
// ASSUMES: each memory access is valid: within the bounds of a live object from whose address its pointer was computed
// ASSUMES: the environment has no variable POSIXLY_CORRECT
#include <unistd.h>
extern void reach_error(void);
int main(void) {
    char tool[] = "tool", word[] = "x", option[] = "-a";
    char *words[] = {tool, word, option, 0};
    if (getopt(3, words, "a") != 'a')
        reach_error();
    return 0;
}
