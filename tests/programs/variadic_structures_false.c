// EXPECT: false unreach-call LP64
// Several structures on the stack, one after the other.
#include <stdarg.h>

extern void reach_error(void);

struct large {
    char c[24];
};
struct small {
    char c[16];
};

static int are_found(long a, long b, long c, long d, int n, ...) {
    va_list list;
    va_start(list, n);
    struct large first = va_arg(list, struct large);
    struct small second = va_arg(list, struct small);
    va_end(list);
    return first.c[20] == 5 && second.c[3] == 7 && second.c[15] == 9 && a + b + c + d == 10;
}

int main(void) {
    struct large first = {{[20] = 5}};
    struct small second = {{[3] = 7, [15] = 9}};
    if (are_found(1, 2, 3, 4, 5, first, second))
        reach_error();
    return 0;
}
