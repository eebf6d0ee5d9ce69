// EXPECT: true unreach-call LP64
// ASSUMES: does not overlap the place that it is copied to
// ASSUMES: each memory access is valid: within the bounds of a live object from whose address its pointer was computed
#include <string.h>
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    char a[16] = "abcdefghijklmno";
    unsigned i = __VERIFIER_nondet_uchar() % 8;
    // What is read is what was there before, if both ranges lie apart; so it is here also where they do not.
    char first = a[0];
    memcpy(a + i, a, 8);
    if (a[i] != first)
        reach_error();
    return 0;
}
