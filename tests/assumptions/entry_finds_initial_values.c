// EXPECT: true unreach-call LP64
// OPTIONS: --entry f
// ASSUMES: when f is entered, global variables of the program have their initial values, and the C library is in its initial state
extern void reach_error(void);
static int g = 1;
void f(void) {
    if (g != 1)
        reach_error();
}
void h(void) { g = 2; }
