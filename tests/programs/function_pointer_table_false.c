// EXPECT: false unreach-call LP64
// INPUTS: 2
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

static int one(void) { return 1; }
static int two(void) { return 2; }
static int bad(void) {
    reach_error();
    return 3;
}

static int (*const table[])(void) = {one, two, bad};

int main(void) { return table[__VERIFIER_nondet_uint() % 3]() == 0; }
