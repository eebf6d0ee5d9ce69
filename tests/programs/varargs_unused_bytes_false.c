// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (what registers held that pass nothing is not an input)
// The upper half of a register that passes an int may hold anything, and something else at the next call. No alarm rests on it.
#include <stdarg.h>

extern void reach_error(void);

static long kept[2];
static int n;

static void keep(int a, ...) {
    va_list list;
    va_start(list, a);
    kept[n++] = *(long *)((char *)list[0].reg_save_area + 8 * a);
    va_end(list);
}

int main(void) {
    for (int i = 0; i < 2; i++)
        keep(1, 4);
    if (kept[0] != kept[1])
        reach_error();
    return 0;
}
