// EXPECT: true unreach-call LP64
#include <stdarg.h>

extern void reach_error(void);

struct pair {
    long first, second, third;
};

static int after_object(struct pair p, int a, ...) {
    va_list list;
    va_start(list, a);
    double half = va_arg(list, double);
    int found = va_arg(list, int);
    va_end(list);
    return half == 0.5 && p.third == 3 ? found : 0;
}

int main(void) {
    struct pair p = {1, 2, 3};
    int (*call)() = (int (*)())after_object;
    if (call(p, 1, 0.5, 8) != 8)
        reach_error();
    return 0;
}
