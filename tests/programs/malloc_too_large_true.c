// EXPECT: true unreach-call LP64
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

/* No block has more than PTRDIFF_MAX bytes. */
int main(void) {
    check(malloc(-4) == NULL);
    check(errno != 0);
    int n = __VERIFIER_nondet_int();
    char *text = malloc(n);
    check((n >= 0) == (text != NULL));
    unsigned long count = __VERIFIER_nondet_ulong();
    long *cells = calloc(count, sizeof(long));
    check(count <= PTRDIFF_MAX / sizeof(long) || cells == NULL);
    check(calloc((size_t)1 << 32, (size_t)1 << 32) == NULL);
    return 0;
}
