// EXPECT: false unreach-call LP64
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 10) {
        __asm__ volatile("1: ud2");
    }
    if (x > 9)
        reach_error();
    return 0;
}
