// EXPECT: true unreach-call LP64 UNKNOWN-OK
// Every way to the error reads a slot of the stack after its end: by a return, the end of its scope, or that of an array of variable length.
// No alarm may rest on that.
#include <alloca.h>
void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int *kept;
static int *result_of(int n) {
    int x = n;
    int *p = &x;
    return p;
}
static void keeps(int n) {
    int x = n;
    kept = &x;
}
static int *allocates(int n) {
    int *block = alloca(4 * sizeof(int));
    block[2] = n;
    return block + 2;
}
static int *down(int n, int *deepest) {
    int here = n;
    if (n == 0)
        return &here;
    return down(n - 1, &here);
}
int main(void) {
    int *p = 0;
    switch (__VERIFIER_nondet_int()) {
    case 1:
        p = result_of(5);
        break;
    case 2:
        keeps(5);
        p = kept;
        break;
    case 3: {
        int inner = 5;
        p = &inner;
        break;
    }
    case 4:
        p = allocates(5);
        break;
    case 5: {
        int n = __VERIFIER_nondet_int();
        if (n < 2 || n > 9)
            return 0;
        int array[n];
        array[1] = 5;
        p = array + 1;
        break;
    }
    case 6:
        p = down(3, 0);
        break;
    default:
        return 0;
    }
    if (*p == 5 || *p == 0)
        reach_error();
    return 0;
}
