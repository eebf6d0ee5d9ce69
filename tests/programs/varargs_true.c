// EXPECT: true unreach-call ILP32
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

#include <stdarg.h>

static long sum(int n, ...) {
    long total = 0;
    va_list rest, again;
    va_start(rest, n);
    va_copy(again, rest);
    for (int i = 0; i < n; i++)
        total += va_arg(rest, int);
    check(n == 0 || va_arg(again, int) == 1);
    va_end(again);
    va_end(rest);
    return total;
}

int main(void) {
    check(sum(3, 1, 2, 3) == 6);
    check(sum(0) == 0);
    check(sum(8, 1, 1, 1, 1, 1, 1, 1, 10) == 17);
    return 0;
}
