// EXPECT: false unreach-call LP64
// The outer handler is the one that is jumped to.
#include <setjmp.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static jmp_buf *outer;
static int level;
static void descend(int left) {
    jmp_buf own;
    if (setjmp(own) != 0) {
        if (level == 2)
            reach_error();
        return;
    }
    if (!outer)
        outer = &own;
    level++;
    if (left > 0)
        descend(left - 1);
    else
        longjmp(*outer, 1);
}
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n >= 0 && n < 4)
        descend(n);
    return 0;
}
