// EXPECT: false unreach-call ILP32
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int digits = 0, open = 0;
    while (1) {
        int key = __VERIFIER_nondet_int();
        if (digits == 0 && key == 7)
            digits = 1;
        else if (digits == 1 && key == 3)
            digits = 2;
        else if (digits == 2 && key == 9)
            open = 1;
        else
            digits = 0;
        if (open && digits != 2)
            reach_error();
    }
}
