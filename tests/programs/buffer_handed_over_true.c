// EXPECT: true unreach-call LP64
// Which of two flags holds changes with each round; that exactly one does is a disjunction.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int producer = __VERIFIER_nondet_int() != 0, consumer = !producer;
    int filled = 0;
    while (__VERIFIER_nondet_int()) {
        if (producer) {
            if (consumer)
                reach_error();
            filled = __VERIFIER_nondet_int();
            producer = 0;
            consumer = 1;
        } else {
            if (!consumer)
                reach_error();
            filled = 0;
            producer = 1;
            consumer = 0;
        }
    }
    if (producer == consumer)
        reach_error();
    return filled;
}
