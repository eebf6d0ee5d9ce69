// EXPECT: true unreach-call LP64
#include <stdlib.h>

extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

/* However many bytes the first block has, it does not run into the second one. */
int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong();
    char *first = malloc(n), *second = malloc(n);
    if (first && second && n > 100) {
        second[0] = 1;
        first[n - 1] = 2;
        if (second[0] != 1)
            reach_error();
    }
    return 0;
}
