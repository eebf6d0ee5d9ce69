// EXPECT: false unreach-call LP64
// One of the named parameters is on the stack, and the call does not say which are named.
#include <stdarg.h>

extern void reach_error(void);

static int eighth(int a, int b, int c, int d, int e, int f, int g, ...) {
    va_list list;
    va_start(list, g);
    int found = va_arg(list, int);
    va_end(list);
    return a + b + c + d + e + f + g == 28 ? found : 0;
}

int main(void) {
    int (*call)() = (int (*)())eighth;
    if (call(1, 2, 3, 4, 5, 6, 7, 8) == 8)
        reach_error();
    return 0;
}
