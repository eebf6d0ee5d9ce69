// EXPECT: false unreach-call LP64
// INPUTS:
// The processor does not divide numbers of 128 bits: the quotient of the least one and -1 wraps around.
extern void reach_error(void);
int main(void) {
    volatile __int128 x = (__int128)1 << 127, y = -1;
    volatile __int128 z = x / y;
    if (z == x && x % y == 0)
        reach_error();
    return 0;
}
