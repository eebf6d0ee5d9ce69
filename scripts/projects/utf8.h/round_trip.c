// EXPECT: true
// FILES:
// OPTIONS: -I.
/* Any code point that is encoded is decoded again, and valid unless it is a surrogate. */
#include "utf8.h"
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    char text[5] = {0};
    utf8_int32_t point = (utf8_int32_t)(__VERIFIER_nondet_uint() % 0x110000), back;
    char *end = utf8catcodepoint(text, point, 5);
    if (!end || end - text != (long)utf8codepointsize(point))
        reach_error();
    if (utf8codepoint(text, &back) != end || back != point)
        reach_error();
    return 0;
}
