// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (how far the two areas lie apart is up to the compiler)
#include <stdarg.h>
extern void reach_error(void);
static long distance(int n, ...) {
    va_list list;
    va_start(list, n);
    long found = (char *)list[0].overflow_arg_area - (char *)list[0].reg_save_area;
    va_end(list);
    return found;
}
int main(void) {
    if (distance(1, 2) != 192)
        reach_error();
    return 0;
}
