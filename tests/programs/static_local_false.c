// EXPECT: false unreach-call LP64
// INPUTS: 4
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int next(void) {
    static int n;
    n += 2;
    return n;
}

int main(void) {
    int last = 0, times = __VERIFIER_nondet_int();
    for (int i = 0; i < times && i < 6; i++)
        last = next();
    if (last == 8)
        reach_error();
    return 0;
}
