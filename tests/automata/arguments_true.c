// EXPECT: true arguments.spc LP64
// An unsigned number is never negative, a signed char with the sign bit is not 0x80 but has it, -1 is above every limit only if unsigned.
extern int resize(int), half(int);
extern void put(unsigned), at(int *, unsigned long), mask(unsigned char);
extern int input(void);
int limit = 10;
int main(void) {
    int a[10], n = input();
    limit = 20;
    resize(-1);
    if (n <= 20)
        resize(n);
    put((unsigned)n);
    if (n >= 0 && n < 10)
        at(a, n);
    half(2 * n);
    half(101);
    mask((unsigned char)(n | 1));
    return 0;
}
