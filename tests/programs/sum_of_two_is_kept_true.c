// EXPECT: true unreach-call LP64
// What one function moves from one account to the other keeps the sum: a relation of three variables.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

unsigned first, second;

static void move(unsigned amount) {
    if (amount > first)
        amount = first;
    first -= amount;
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
