// EXPECT: true unreach-call LP64
// ASSUMES: first is undefined: it may return any value (but no address in or just beyond an object or function that the program knows from elsewhere, unless the program computes with that address, and no pointer that is a number from 0x100000000000000 to 0x7ffffffffffffff), neither ends the program nor throws, changes nothing (not even the state of the C library) and calls no function of the program
// ASSUMES: an address that comes from outside or is made from a number lies neither in nor just beyond an object or function that the program knows from elsewhere, unless the program computes with the address of that object
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
