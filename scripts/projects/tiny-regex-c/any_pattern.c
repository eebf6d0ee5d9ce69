// EXPECT: true
// FILES: re.c
// OPTIONS: -I.
/* A match of any pattern of two characters lies in the text. */
#include "re.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char pattern[3] = {__VERIFIER_nondet_char(), __VERIFIER_nondet_char(), '\0'};
    int length;
    int at = re_match(pattern, "ab1", &length);
    if (at < -1 || at > 3)
        reach_error();
    return 0;
}
