// EXPECT: true unreach-call LP64 UNKNOWN-OK
// Every way to the error goes through a pointer to an earlier instance of a slot that has begun anew since. No alarm may rest on that.
void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int *kept;
static void twice(void) {
    int x = 0;
    if (kept)
        *kept = 1;
    else
        kept = &x;
    if (x == 1)
        reach_error();
}
int main(void) {
    if (__VERIFIER_nondet_int()) {
        twice();
        twice();
        return 0;
    }
    int *p = 0;
    for (int i = 0; i < 2; i++) {
        int array[4];
        array[0] = i;
        if (p) {
            if (p[0] == 1)
                reach_error();
        } else {
            p = array;
        }
    }
    return 0;
}
