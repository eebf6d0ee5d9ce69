// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int zeros[100];
static int *pointer;
static double number;

int main(void) {
    unsigned i = __VERIFIER_nondet_uint() % 100;
    check(zeros[i] == 0 && pointer == 0 && number == 0.0);
    return 0;
}
