// EXPECT: false unreach-call LP64
// The flag is not always taken back.
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
            producer = 1;
            consumer = filled == 7;
            filled = 0;
        }
    }
    if (producer == consumer)
        reach_error();
    return filled;
}
