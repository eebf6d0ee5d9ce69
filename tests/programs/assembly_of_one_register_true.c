// EXPECT: true unreach-call LP64
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int y = __VERIFIER_nondet_int(), x = y;
    __asm__ volatile("" : "+r"(x));
    if (x != y)
        reach_error();
    return 0;
}
