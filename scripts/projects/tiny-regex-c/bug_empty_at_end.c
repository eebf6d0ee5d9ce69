// EXPECT: false
// FILES: re.c
// OPTIONS: -I.
/* The empty match at the end of a text is not reported: x* does not match the empty text. */
#include "re.h"
extern void reach_error(void);

int main(void) {
    int length;
    if (re_match("x*", "", &length) != 0)
        reach_error();
    return 0;
}
