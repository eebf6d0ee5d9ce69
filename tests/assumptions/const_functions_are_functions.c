// EXPECT: false unreach-call LP64
// ASSUMES: parity is undefined: it may return any value, but the same for the same arguments, neither ends the program nor throws, changes nothing (not even the state of the C library) and calls no function of the program
extern void reach_error(void);
extern int parity(int n) __attribute__((const));
int main(void) {
    if (parity(1) != parity(2))
        reach_error();
    return 0;
}
