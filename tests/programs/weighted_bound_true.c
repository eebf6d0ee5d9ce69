// EXPECT: true unreach-call LP64 UNKNOWN-OK
// Each item costs three or four coins: three times the items is at most the coins that there were.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int coins = __VERIFIER_nondet_int();
    if (coins < 0 || coins > 1000000) {
        return 0;
    }
    int items = 0, left = coins;
    while (left >= 4) {
        left -= __VERIFIER_nondet_int() ? 3 : 4;
        items++;
    }
    if (3 * items > coins) {
        reach_error();
    }
    return 0;
}
