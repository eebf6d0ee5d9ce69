// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (what a call through a pointer of another type returns depends on the compiler)
// A function returns a char in the low bits of a register; the caller expects an int there.
extern void reach_error(void);

static unsigned wide = 0x1234ff;

static char low(void) { return (char)wide; }

int main(void) {
    int (*volatile low_as_int)(void) = (int (*)(void))low;
    if (low_as_int() != (char)0xff) {
        reach_error();
    }
}
