// EXPECT: true
// FILES:
// OPTIONS: -I.
/* A valid text has at most as many code points as bytes. */
#include "utf8.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[5];
    for (int i = 0; i < 4; i++)
        text[i] = __VERIFIER_nondet_char();
    text[4] = '\0';
    if (utf8valid(text) == 0 && utf8len(text) + 1 > utf8size(text))
        reach_error();
    return 0;
}
