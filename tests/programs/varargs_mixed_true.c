// EXPECT: true unreach-call LP64
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

#include <stdarg.h>

static double mixed(const char *kinds, ...) {
    double total = 0;
    va_list rest;
    va_start(rest, kinds);
    for (; *kinds != 0; kinds++) {
        if (*kinds == 'i')
            total += va_arg(rest, int);
        else if (*kinds == 'd')
            total += va_arg(rest, double);
        else
            total += (double)va_arg(rest, long long);
    }
    va_end(rest);
    return total;
}

int main(void) {
    check(mixed("idl", 1, 0.5, 1LL << 40) == 1099511627777.5);
    return 0;
}
