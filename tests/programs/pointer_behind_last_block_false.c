// EXPECT: false unreach-call LP64
// The end of a block lies in its slot, also that of the last block of a site.
#include <stdlib.h>
void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    char *blocks[2];
    for (int i = 0; i < 2; i++)
        blocks[i] = malloc(8);
    int k = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
    if (k < 0 || k > 1 || n < 0 || n > 8)
        return 0;
    char *p = blocks[k], *q = p + n;
    if (q - p == 8 && (p + 4) - p == 4)
        reach_error();
    return 0;
}
