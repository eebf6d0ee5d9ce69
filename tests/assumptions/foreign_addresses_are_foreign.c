// EXPECT: true unreach-call LP64
// ASSUMES: first is undefined: it returns anything (but the address of no object that the program defines, unless it computes with it), changes nothing and calls no function of the program
// ASSUMES: an address from outside, or made of a number, is of no object that the program defines, unless it computes with it
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
