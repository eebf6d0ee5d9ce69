// EXPECT: false unreach-call LP64
// INPUTS: 3
// NATIVE: no (the function of that name is another one's alias)
extern int __VERIFIER_nondet_int(void);

static void failed(void) {}
void reach_error(void) __attribute__((alias("failed")));

int main(void) {
    if (__VERIFIER_nondet_int() == 3)
        reach_error();
    return 0;
}
