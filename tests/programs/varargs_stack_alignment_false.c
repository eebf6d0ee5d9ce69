// EXPECT: false unreach-call LP64
// The seventh parameter is on the stack, so what is variadic begins 8 bytes beyond a multiple of 16.
#include <stdarg.h>
#include <stdint.h>

extern void reach_error(void);

static int third(int a, int b, int c, int d, int e, int f, int g, ...) {
    va_list list;
    va_start(list, g);
    int found = va_arg(list, int);
    char *after = list[0].overflow_arg_area;
    if (found == 8 && (uintptr_t)after % 16 == 0)
        reach_error();
    va_end(list);
    return a + b + c + d + e + f + g;
}

int main(void) {
    return third(1, 2, 3, 4, 5, 6, 7, 8, 9) != 28;
}
