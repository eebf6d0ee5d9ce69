// EXPECT: false unreach-call LP64
// INPUTS: 2
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

static int a = 1, b = 2, c = 3;
static int *pointers[] = {&a, &b, &c};

static void bump(int **p) { **p += 10; }

int main(void) {
    unsigned i = __VERIFIER_nondet_uint() % 3;
    bump(&pointers[i]);
    if (c == 13)
        reach_error();
    return 0;
}
