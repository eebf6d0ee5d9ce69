// EXPECT: false unreach-call LP64
// INPUTS: 1 2
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static int input(void) { return __VERIFIER_nondet_int(); }

int main(void) {
    int a = input();
    int b = input();
    if (a != b)
        reach_error();
    return 0;
}
