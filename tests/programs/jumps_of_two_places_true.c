// EXPECT: true unreach-call ILP32
// One call of setjmp arms several buffers; a function called through a pointer jumps.
#include <setjmp.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static jmp_buf places[2];
static void jump(int i) {
    _longjmp(places[i], i + 5);
}
static void stay(int i) {
    (void)i;
}
static void (*const actions[2])(int) = {jump, stay};
int main(void) {
    volatile int rounds = 0;
    int code = _setjmp(places[0]);
    if (code != 0 && (code != 5 || rounds != 1))
        reach_error();
    if (code != 0)
        return 0;
    code = setjmp(places[1]);
    if (code != 0 && (code != 6 || rounds != 1))
        reach_error();
    if (code != 0)
        return 0;
    rounds++;
    int which = __VERIFIER_nondet_int() != 0, action = __VERIFIER_nondet_int() != 0;
    actions[action](which);
    if (action == 0)
        reach_error();
    return 0;
}
