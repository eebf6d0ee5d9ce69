// EXPECT: false unreach-call ILP32
// INPUTS: 3
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

#include <stdarg.h>

static int pick(int n, ...) {
    va_list rest;
    va_start(rest, n);
    int x = 0;
    for (int i = 0; i < n; i++)
        x = va_arg(rest, int);
    va_end(rest);
    return x;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint() % 4;
    if (pick((int)n, 5, 6, 7) == 7)
        reach_error();
    return 0;
}
