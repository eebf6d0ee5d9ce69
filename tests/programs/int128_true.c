// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned long a = __VERIFIER_nondet_ulong();
    unsigned __int128 x = (unsigned __int128)a << 64 | 5;
    check((unsigned long)(x >> 64) == a && (unsigned long)x == 5);
    x += (unsigned __int128)0xffffffffffffffffu;
    check((unsigned long)x == 4 && (unsigned long)(x >> 64) == a + 1);
    return 0;
}
