// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

/* size is 16, 4096 or 65536, and what is made of it is in one of three ranges. */
int main(void) {
    unsigned size = 16, used = 0, last = 1;
    while (__VERIFIER_nondet_bool()) {
        if (__VERIFIER_nondet_bool())
            last = size * 3;
        if (last > 200 && last < 12000)
            reach_error();
        if (used < size)
            used++;
        else if (size == 16)
            size = 4096;
        else if (size == 4096)
            size = 65536;
        else
            size = 16, used = 0;
    }
    return 0;
}
