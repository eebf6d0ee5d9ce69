// EXPECT: false unreach-call LP64
// A structure that is aligned to 16 bytes is passed in two registers.
#include <stdarg.h>
extern void reach_error(void);
struct pair {
    _Alignas(16) long x;
    long y;
};

static long sum(int n, ...) {
    va_list ap;
    va_start(ap, n);
    long a = va_arg(ap, long);
    struct pair p = va_arg(ap, struct pair);
    int b = va_arg(ap, int);
    va_end(ap);
    return a * 1000 + p.x * 10 + p.y + b * 10000;
}

int main(void) {
    struct pair p = {5, 6};
    if (sum(1, 7L, p, 3) == 37056)
        reach_error();
    return 0;
}
