// EXPECT: false unreach-call ILP32
// On i386, clang passes the arguments of a call without a prototype like those of a function that is not variadic.
#include <stdarg.h>

extern void reach_error(void);

static int second(int n, ...) {
    va_list list;
    va_start(list, n);
    int found = va_arg(list, int);
    va_end(list);
    return found;
}

int main(void) {
    int (*call)() = (int (*)())second;
    if (call(1, 8) == 8)
        reach_error();
    return 0;
}
