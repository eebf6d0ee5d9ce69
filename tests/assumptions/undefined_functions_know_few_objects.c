// EXPECT: true unreach-call LP64
// ASSUMES: find is undefined: it returns anything (but the address of no object that the program defines, unless it computes with it), changes nothing and calls no function of the program
// ASSUMES: an address from outside, or made of a number, is of no object that the program defines, unless it computes with it
extern void reach_error(void);
extern int *find(void);
int g = 1;
int main(void) {
    *find() = 2;
    if (g != 1)
        reach_error();
    return 0;
}
