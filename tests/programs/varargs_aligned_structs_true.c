// EXPECT: true unreach-call LP64
// Structures that are aligned to 16 bytes are passed in two registers, and those aligned to 32 in memory: what follows them is found.
#include <stdarg.h>
extern void reach_error(void);
struct pair {
    _Alignas(16) long x;
    long y;
};
struct block {
    _Alignas(32) long x[4];
};

static long sum(int n, ...) {
    va_list ap;
    va_start(ap, n);
    long a = va_arg(ap, long);
    struct pair p = va_arg(ap, struct pair);
    double d = va_arg(ap, double);
    struct block b = va_arg(ap, struct block);
    long double e = va_arg(ap, long double);
    int c = va_arg(ap, int);
    int last = 0;
    for (int i = 0; i < n; i++)
        last = last * 10 + va_arg(ap, int);
    va_end(ap);
    if (b.x[3] != 9 || d != 1.5 || e != 2.5L || last != 1234)
        return 0;
    return a * 1000 + p.x * 10 + p.y + c * 10000;
}

int main(void) {
    struct pair p = {5, 6};
    struct block b = {{1, 2, 3, 9}};
    if (sum(4, 7L, p, 1.5, b, 2.5L, 3, 1, 2, 3, 4) != 37056)
        reach_error();
    return 0;
}
