// EXPECT: false unreach-call LP64
// The sixth number is the first one on the stack.
#include <stdarg.h>
extern void reach_error(void);
static int first_on_stack(int n, ...) {
    va_list list;
    va_start(list, n);
    int found = *(int *)list[0].overflow_arg_area;
    va_end(list);
    return found;
}
int main(void) {
    if (first_on_stack(6, 1, 2, 3, 4, 5, 6) == 6)
        reach_error();
    return 0;
}
