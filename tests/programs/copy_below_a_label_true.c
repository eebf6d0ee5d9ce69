// EXPECT: true unreach-call LP64
// What the loop begins with is a copy onto arbitrary memory.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct s {
    unsigned first;
    long rest[2];
};

static int is_set(unsigned i) {
    struct s s = {0};
    for (int more = __VERIFIER_nondet_int(); more;)
        s.rest[i] = 25;
    return s.first != 0;
}

int main(void) {
    if (is_set((unsigned)__VERIFIER_nondet_int()) == 7)
        reach_error();
    return 0;
}
