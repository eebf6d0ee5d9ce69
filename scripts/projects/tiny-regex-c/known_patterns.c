// EXPECT: true
// FILES: re.c
// OPTIONS: -I.
/* Known patterns and texts. */
#include "re.h"
extern void reach_error(void);

int main(void) {
    int length;
    if (re_match("[Hh]ello [Ww]orld\\s*[!]?", "ahem.. 'hello world !' ..", &length) != 8 || length != 12)
        reach_error();
    if (re_match("^\\d+$", "12345", &length) != 0 || re_match("^\\d+$", "12a45", &length) != -1)
        reach_error();
    if (re_match("a.*z", "xxabcz", &length) != 2)
        reach_error();
    return 0;
}
