// EXPECT: false unreach-call LP64
// The function that is left does not finish its work.
#include <setjmp.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static jmp_buf failed;
static int locks;
static void check(int c) {
    if (c > 100)
        longjmp(failed, 7);
}
static void work(int c) {
    locks++;
    check(c);
    locks--;
}
int main(void) {
    int code = setjmp(failed);
    if (code == 0)
        work(__VERIFIER_nondet_int());
    else if (code != 7)
        return 2;
    if (locks != 0)
        reach_error();
    return 0;
}
