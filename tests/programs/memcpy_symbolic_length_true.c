// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern unsigned int __VERIFIER_nondet_uint(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

void *memcpy(void *to, const void *from, __SIZE_TYPE__ n);

int main(void) {
    char from[8] = "abcdefg", to[8] = {0};
    unsigned n = __VERIFIER_nondet_uint() % 9;
    memcpy(to, from, n);
    check(n == 0 ? to[0] == 0 : to[n - 1] == from[n - 1]);
    check(n > 4 || to[4] == 0);
    return 0;
}
