// EXPECT: true unreach-call LP64
// OPTIONS: --entry f
// ASSUMES: when f is entered, global variables of the program have their initial values
// ASSUMES: f is passed the address of no object that the program defines, unless it computes with it, and as a pointer no number from
// ASSUMES: an address from outside, or made of a number, lies neither in nor behind an object or function that the program knows from elsewhere, unless it computes with its address
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
