// EXPECT: true unreach-call ILP32
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int state = 0, locked = 0;
    while (1) {
        int event = __VERIFIER_nondet_int();
        switch (state) {
        case 0:
            if (event == 1) {
                locked = 1;
                state = 1;
            }
            break;
        case 1:
            if (!locked)
                reach_error();
            if (event == 2)
                state = 2;
            break;
        case 2:
            locked = 0;
            state = 0;
            break;
        default:
            reach_error();
        }
    }
}
