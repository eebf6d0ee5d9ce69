// EXPECT: false unreach-call LP64
// One account never gets more than 1000.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

unsigned first, second;

static void move(unsigned amount) {
    if (amount > first)
        amount = first;
    first -= amount;
    if (second + amount <= 1000)
        second += amount;
}

int main(void) {
    first = __VERIFIER_nondet_uint();
    unsigned total = first;
    while (__VERIFIER_nondet_uint()) {
        move(__VERIFIER_nondet_uint());
        if (first + second != total)
            reach_error();
    }
    return 0;
}
