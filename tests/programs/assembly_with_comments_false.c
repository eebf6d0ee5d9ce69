// EXPECT: false unreach-call LP64 UNKNOWN-OK
// What stands behind a comment in its line is a part of it, also a semicolon.
extern void reach_error(void);

int main(void) {
    unsigned n = 1;
    __asm__("nop # keep; incl %0" : "+r"(n));
    if (n == 1)
        reach_error();
    return 0;
}
