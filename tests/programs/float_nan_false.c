// EXPECT: false unreach-call LP64
// INPUTS: nan
extern void reach_error(void);
extern float __VERIFIER_nondet_float(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    float x = __VERIFIER_nondet_float();
    check(x == x);
    return 0;
}
