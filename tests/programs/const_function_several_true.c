// EXPECT: true unreach-call LP64
// Results of a function declared const depend on all of its arguments, and on nothing else.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern _Bool related(const void *, int, int) __attribute__((const));

int main(void) {
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
    _Bool first = related(&a, a, b);
    for (int i = 0; i < n; i++)
        if (a == b && related(&a, b, a) != first)
            reach_error();
    return 0;
}
