// EXPECT: false parallel.spc LP64
// VIOLATED: b() first
extern void a(void), b(void), number(int), stop(void);
static int last, count;
int main(void) {
    number(last = 10);
    a();
    a();
    b();
    if (count == 0)
        b();
    return 0;
}
