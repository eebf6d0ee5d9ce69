// EXPECT: false unreach-call LP64 UNKNOWN-OK
// INPUTS:
// NATIVE: no (the processor decides)
extern void reach_error(void);

int main(void) {
    if (__builtin_clz(0) != 7)
        reach_error();
    return 0;
}
