// EXPECT: false unreach-call LP64
// INPUTS: 1 2 0
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int state = 0, locked = 0;
    while (1) {
        int event = __VERIFIER_nondet_int();
        switch (state) {
        case 0:
            if (event == 1)
                locked = state = 1;
            break;
        case 1:
            if (event == 2) {
                locked = 0;
                state = 2;
            }
            break;
        case 2:
            if (!locked)
                reach_error();
            state = 0;
        }
    }
}
