// EXPECT: true unreach-call LP64
// ASSUMES: find is undefined: it returns anything (but the address of no object that is unknown to the outside) and changes nothing
// ASSUMES: an address from outside, or made of a number, is of no object of the program but for those
extern void reach_error(void);
extern int *find(void);
int g = 1;
int main(void) {
    *find() = 2;
    if (g != 1)
        reach_error();
    return 0;
}
