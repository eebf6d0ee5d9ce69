// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (the answer depends on the optimiser)
extern void reach_error(void);

int main(void) {
    int x = 5;
    if (__builtin_constant_p(x))
        reach_error();
    return 0;
}
