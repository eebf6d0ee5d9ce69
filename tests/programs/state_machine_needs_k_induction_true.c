// EXPECT: true unreach-call LP64
// What is looked at in state 5 was made four iterations before, when state 1 was left: no invariant of a known form says that
// its two bytes are alike. That state 6 cannot be is an invariant.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned state = 1, received = 0, decoded = 0, checked = 0, result = 0;
    while (1) {
        unsigned in = __VERIFIER_nondet_uint();
        if (state == 1) {
            if (in % 3 == 1) {
                received = (in & 255) * 257;
                state = 2;
            }
        } else if (state == 2) {
            decoded = received;
            state = in & 1 ? 3 : 1;
        } else if (state == 3) {
            checked = decoded;
            state = 4;
        } else if (state == 4) {
            result = checked;
            state = 5;
        } else if (state == 5) {
            if ((result & 255) != result >> 8)
                reach_error();
            state = 1;
        } else if (in & 1) {
            result = in;
            state = 5;
        }
    }
}
