// EXPECT: true unreach-call LP64
// Zeros above a number are its sign, too, if it is small.
extern void reach_error(void);

__attribute__((noinline)) static int widened(signed char c) {
    return c;
}

int (*volatile widens)(unsigned char) = (int (*)(unsigned char))widened;

int main(void) {
    if (widens(100) != 100) {
        reach_error();
    }
    return 0;
}
