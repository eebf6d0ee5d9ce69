// EXPECT: false unreach-call LP64
// INPUTS: 13 1 0 0 0
// As its sister that holds, but what is received has two different bytes.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    unsigned state = 1, received = 0, decoded = 0, checked = 0, result = 0;
    while (1) {
        unsigned in = __VERIFIER_nondet_uint();
        if (state == 1) {
            if (in % 3 == 1) {
                received = (in & 255) * 257 + 1;
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
