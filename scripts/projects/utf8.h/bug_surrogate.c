// EXPECT: false
// FILES:
// OPTIONS: -I.
/* Whatever is valid decodes to a code point that is no surrogate. */
#include "utf8.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char text[4];
    utf8_int32_t point;
    for (int i = 0; i < 3; i++)
        text[i] = __VERIFIER_nondet_char();
    text[3] = '\0';
    if (text[0] != 0 && utf8valid(text) == 0) {
        utf8codepoint(text, &point);
        if (point >= 0xd800 && point < 0xe000)
            reach_error();
    }
    return 0;
}
