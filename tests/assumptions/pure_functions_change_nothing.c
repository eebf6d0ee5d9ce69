// EXPECT: true unreach-call LP64
// OPTIONS: --extern havoc
// ASSUMES: parity is undefined: it may return any value, but the same for the same arguments, neither ends the program nor throws, changes nothing (not even the state of the C library) and calls no function of the program
// ASSUMES: sum is undefined: it may return any value, neither ends the program nor throws, changes nothing (not even the state of the C library) and calls no function of the program
extern void reach_error(void);
extern int parity(int *n) __attribute__((const));
extern int sum(int *n) __attribute__((pure));
int shared = 2;

int main(void) {
    int x = 1;
    parity(&x);
    sum(&x);
    if (x != 1 || shared != 2)
        reach_error();
    return 0;
}
