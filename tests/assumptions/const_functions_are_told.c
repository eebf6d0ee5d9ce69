// EXPECT: false unreach-call LP64
// OPTIONS: --extern havoc
// ASSUMES: number is undefined: it may return any value, but the same for the same arguments, neither ends the program nor throws, may change any memory that it may know of (but frees none, and leaves the state of the C library, apart from streams that it is passed, the arguments and the environment alone) and calls no function of the program
// What a const function is told may come back as a number.
extern void reach_error(void);
extern unsigned long number(int *p) __attribute__((const));
int main(void) {
    int x = 1;
    int *q = (int *)number(&x);
    *q = 2;
    if (x != 1)
        reach_error();
    return 0;
}
