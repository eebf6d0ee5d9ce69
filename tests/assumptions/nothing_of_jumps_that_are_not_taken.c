// EXPECT: true unreach-call LP64
// No jump leads to what is read.
#include <setjmp.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static jmp_buf place;
int main(void) {
    int x = __VERIFIER_nondet_int(), y = x;
    if (x == 3) {
        if (setjmp(place) == 0)
            longjmp(place, 1);
        return 0;
    }
    if (x != y)
        reach_error();
    return 0;
}
