// EXPECT: false unreach-call LP64
// INPUTS: 3 0 1 1
// A round adds two or three: it may be more than five for two rounds.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int rounds = __VERIFIER_nondet_int(), sum = 0;
    for (int i = 0; i < rounds; i++) {
        sum += 2 + (__VERIFIER_nondet_int() == 1);
        if (2 * sum > 5 * (i + 1)) {
            break;
        }
    }
    if (rounds < 1000000 && sum > 5 && 2 * sum > 5 * rounds) {
        reach_error();
    }
    return 0;
}
