// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    static void *const labels[] = {&&zero, &&one};
    int r;
    goto *labels[__VERIFIER_nondet_bool()];
zero:
    r = 10;
    goto end;
one:
    r = 11;
end:
    check(r == 10 || r == 11);
    return 0;
}
