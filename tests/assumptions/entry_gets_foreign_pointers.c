// EXPECT: true unreach-call LP64
// OPTIONS: --entry f
// ASSUMES: when f is entered, global variables of the program have their initial values, and the C library is in its initial state
// ASSUMES: f is not passed the address of an object of the program or of the C library, unless the program computes with that address, and no pointer that it is passed is a number from
// ASSUMES: an address that comes from outside or is made from a number lies neither in nor just beyond an object or function that the program knows from elsewhere, unless the program computes with the address of that object
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
