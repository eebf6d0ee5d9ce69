// EXPECT: false unreach-call ILP32 UNKNOWN-OK
// NATIVE: no (compilers do not agree where these arguments are)
// Where a vector without a name is passed depends on the processor.
#include <stdarg.h>

extern void reach_error(void);

typedef int four __attribute__((vector_size(16)));

static int first(int n, ...) {
    va_list list;
    va_start(list, n);
    four v = va_arg(list, four);
    va_end(list);
    return v[0];
}

int main(void) {
    four v = {1, 2, 3, 4};
    if (first(1, v) != 1) {
        reach_error();
    }
}
