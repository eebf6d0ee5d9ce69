// EXPECT: true unreach-call LP64
// SeaHorn's functions: assumptions bound the inputs, and the assertion holds.
extern void assume(_Bool);
extern void __SEA_assume(_Bool);
extern void sassert(_Bool);
extern int nd_int(void);
extern _Bool nd_bool(void);
extern __SIZE_TYPE__ nd_size_t(void);
extern void memhavoc(void *, __SIZE_TYPE__);
int main(void) {
    int x = nd_int(), y = 1;
    __SIZE_TYPE__ n = nd_size_t();
    assume(x > 5);
    __SEA_assume(x < 8 && n < 3);
    sassert(x + nd_bool() <= 8);
    memhavoc(&x, sizeof x);
    assume(x == 2);
    sassert(x + y + n < 6);
    return 0;
}
