// EXPECT: false unreach-call LP64
// The order of the arguments counts.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern _Bool related(int, int) __attribute__((const));

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    if (related(a, b) && !related(b, a))
        reach_error();
    return 0;
}
