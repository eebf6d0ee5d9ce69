// EXPECT: false unreach-call LP64 UNKNOWN-OK
// The function takes a number with its sign above it, and the call puts zeros there: optimised code returns 200.
extern void reach_error(void);

__attribute__((noinline)) static int widened(signed char c) {
    return c;
}

int (*volatile widens)(unsigned char) = (int (*)(unsigned char))widened;
volatile unsigned char two_hundred = 200;

int main(void) {
    if (widens(two_hundred) == 200) {
        reach_error();
    }
    return 0;
}
