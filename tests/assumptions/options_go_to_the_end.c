// EXPECT: true unreach-call LP64
// ASSUMES: each memory access is valid: within the bounds of a live object from whose address its pointer was computed
// ASSUMES: the environment has no variable POSIXLY_CORRECT
// ASSUMES: addresses of local variables are not compared after the lifetime of the variable
// ASSUMES: main::tool, with whose address the program computes, lies between 0x1000 and 0x800000000000
// ASSUMES: main::word, with whose address the program computes, lies between 0x1000 and 0x800000000000
// ASSUMES: main::option, with whose address the program computes, lies between 0x1000 and 0x800000000000
#include <unistd.h>
extern void reach_error(void);
int main(void) {
    char tool[] = "tool", word[] = "x", option[] = "-a";
    char *words[] = {tool, word, option, 0};
    if (getopt(3, words, "a") != 'a')
        reach_error();
    return 0;
}
