// EXPECT: false
// FILES: sds.c
// OPTIONS: -I.
/* The length is not found anew after the text was cut by hand. */
#include "sds.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    sds s = sdsnew("abc");
    s[__VERIFIER_nondet_uchar() % 4] = '\0';
    size_t length = sdslen(s);
    sdsupdatelen(s);
    if (sdslen(s) != length)
        reach_error();
    return 0;
}
