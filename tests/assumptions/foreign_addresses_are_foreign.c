// EXPECT: true unreach-call LP64
// ASSUMES: first is undefined: it returns anything (but no address in or behind an object or function that the program knows from elsewhere, unless it computes with that, and as a pointer no number from 0x100000000000000 to 0x7ffffffffffffff), neither ends the program nor throws, changes nothing (the state of the C library included) and calls no function of the program
// ASSUMES: an address from outside, or made of a number, lies neither in nor behind an object or function that the program knows from elsewhere, unless it computes with its address
extern void reach_error(void);
struct node {
    struct node *next;
};
extern struct node *first(void);
static struct node own;
int main(void) {
    if (first() == &own)
        reach_error();
    return 0;
}
