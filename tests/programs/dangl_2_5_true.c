// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);

/* What i is in one round, x1 is behind the next, and x2 behind the one after that; i is never 3. */
int main(void) {
    int i = 1, x1 = 0, x2 = 0;
    while (__VERIFIER_nondet_bool()) {
        if (x2 == 3)
            reach_error();
        if (x1 == 0) {
            x1 = 1;
            x2 = 1;
        } else {
            x2 = x1;
            x1 = i == 3 ? __VERIFIER_nondet_int() : i;
        }
        if (i == 1)
            i = 2;
        else if (i == 2)
            i = __VERIFIER_nondet_bool() ? 1 : 4;
        else if (i >= 4)
            i = i < 1000 ? i + 1 : 1;
    }
    return 0;
}
