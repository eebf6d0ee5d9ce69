// EXPECT: true
// FILES: sds.c
// OPTIONS: -I.
/* The text of any small number has the digits of this number. */
#include "sds.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    unsigned char n = __VERIFIER_nondet_uchar();
    sds s = sdsfromlonglong(n);
    int value = 0;
    for (size_t i = 0; i < sdslen(s); i++)
        value = 10 * value + (s[i] - '0');
    if (value != n || sdslen(s) < 1 || sdslen(s) > 3)
        reach_error();
    return 0;
}
