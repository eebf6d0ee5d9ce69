// EXPECT: false
// FILES: re.c
// OPTIONS: -I.
/* Some text of four characters matches. */
#include "re.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[5];
    int length;
    for (int i = 0; i < 4; i++)
        text[i] = __VERIFIER_nondet_char() & 0x7f;
    text[4] = '\0';
    if (re_match("^\\w@[a-c]+$", text, &length) == 0)
        reach_error();
    return 0;
}
