// EXPECT: false unreach-call LP64
// INPUTS:
// A quotient of 17 bits fits into the register in which it is computed.
extern void reach_error(void);
int main(void) {
    volatile _BitInt(17) x = (_BitInt(17))(1 << 16), y = -1;
    if (x < 0 && x / y == x && x % y == 0)
        reach_error();
    return 0;
}
