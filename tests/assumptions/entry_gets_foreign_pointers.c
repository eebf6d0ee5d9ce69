// EXPECT: true unreach-call LP64
// OPTIONS: --entry f
// ASSUMES: when f is entered, global variables of the program have their initial values
// ASSUMES: f is passed the address of no object that is unknown to the outside
// ASSUMES: an address from outside, or made of a number, is of no object of the program but for those
extern void reach_error(void);
static int g;
void f(int *p) {
    if (!p)
        return;
    g = 1;
    *p = 2;
    if (g != 1)
        reach_error();
}
