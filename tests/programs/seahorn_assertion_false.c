// EXPECT: false unreach-call LP64
// INPUTS: 6 255
// SeaHorn's functions: a failing assertion is the error.
extern void assume(_Bool);
extern void sassert(_Bool);
extern int nd_int(void);
extern unsigned char nd_uchar(void);
int main(void) {
    int x = nd_int();
    assume(x > 5);
    assume(x < 8);
    sassert(x + nd_uchar() < 261);
    return 0;
}
