// EXPECT: true unreach-call LP64
// ASSUMES: each is undefined: it returns anything, neither ends the program nor throws, changes nothing (the state of the C library included) and calls no function of the program
extern void reach_error(void);
extern void each(void (*)(void));
static void bad(void) { reach_error(); }
int main(void) {
    each(bad);
    return 0;
}
