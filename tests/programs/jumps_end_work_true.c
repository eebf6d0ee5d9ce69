// EXPECT: true unreach-call LP64
// Errors leave several functions by a jump, as in parsers and interpreters.
#include <setjmp.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static jmp_buf failed;
static int depth;
static int digit(int c) {
    if (c < 0 || c > 9)
        longjmp(failed, c < 0 ? 0 : 2);
    return c;
}
static int sum(int n) {
    int total = 0;
    for (int i = 0; i < n; i++)
        total += digit(__VERIFIER_nondet_int());
    depth++;
    return total;
}
int main(void) {
    switch (setjmp(failed)) {
    case 0: {
        int total = sum(3);
        if (total < 0 || total > 27 || depth != 1)
            reach_error();
        return 0;
    }
    case 1: // longjmp turns 0 into 1
    case 2:
        if (depth != 0)
            reach_error();
        return 1;
    default:
        reach_error();
    }
}
