// EXPECT: false unreach-call ILP32
// INPUTS: 7
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct pair {
    int a;
    long b;
};

static void set(struct pair p) { p.a = 0; }

int main(void) {
    struct pair p = {__VERIFIER_nondet_int(), 0};
    set(p);
    if (p.a == 7)
        reach_error();
    return 0;
}
