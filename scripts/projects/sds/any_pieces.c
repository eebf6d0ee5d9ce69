// EXPECT: true
// FILES: sds.c
// OPTIONS: -I.
/* Two texts of any length up to four: the lengths add up, and the end is terminated. */
#include "sds.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    char bytes[4];
    size_t n = __VERIFIER_nondet_uchar() % 5, m = __VERIFIER_nondet_uchar() % 5;
    for (int i = 0; i < 4; i++)
        bytes[i] = (char)__VERIFIER_nondet_uchar();
    sds s = sdsnewlen(bytes, n);
    s = sdscatlen(s, bytes, m);
    if (sdslen(s) != n + m || s[n + m] != '\0' || (m > 0 && s[n] != bytes[0]))
        reach_error();
    return 0;
}
