// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (what registers hold that the caller does not set is the compiler's choice)
// Windows passes arguments in other registers.
extern void reach_error(void);

static __attribute__((ms_abi)) long difference(long a, long b) { return a - b; }

int main(void) {
    long (*volatile f)(long, long) = (long (*)(long, long))difference;
    if (f(5, 3) != 2) {
        reach_error();
    }
}
