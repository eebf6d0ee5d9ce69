// EXPECT: true unreach-call LP64
// ASSUMES: each is undefined: it may return any value, neither ends the program nor throws, changes nothing (not even the state of the C library) and calls no function of the program
extern void reach_error(void);
extern void each(void (*)(void));
static void bad(void) { reach_error(); }
int main(void) {
    each(bad);
    return 0;
}
