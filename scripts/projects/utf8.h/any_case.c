// EXPECT: true
// FILES:
// OPTIONS: -I.
/* Lower case of any code point: twice is the same as once. */
#include "utf8.h"
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    utf8_int32_t point = __VERIFIER_nondet_int();
    utf8_int32_t lower = utf8lwrcodepoint(point);
    if (utf8lwrcodepoint(lower) != lower)
        reach_error();
    return 0;
}
