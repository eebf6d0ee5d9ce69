// EXPECT: true unreach-call LP64
// A va_list holds what the ABI says, where programs look into it.
#include <stdarg.h>
extern void reach_error(void);
static int sum(int n, ...) {
    va_list list;
    va_start(list, n);
    if (list[0].gp_offset != 8 || list[0].fp_offset != 48)
        reach_error();
    int first = va_arg(list, int);
    double second = va_arg(list, double);
    if (list[0].gp_offset != 16 || list[0].fp_offset != 64)
        reach_error();
    va_end(list);
    return first + (int)second;
}
int main(void) {
    if (sum(2, 5, 2.0) != 7)
        reach_error();
    return 0;
}
