// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

void *memset(void *block, int c, __SIZE_TYPE__ n);

int main(void) {
    int a[4];
    memset(a, 0xff, sizeof a);
    check(a[0] == -1 && a[3] == -1);
    memset(a + 1, __VERIFIER_nondet_int() & 1, sizeof(int));
    check(a[1] == 0 || a[1] == 0x01010101);
    check(a[2] == -1);
    return 0;
}
