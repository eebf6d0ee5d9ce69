// EXPECT: false parallel.spc LP64
// VIOLATED: counted too far
extern void a(void), b(void), number(int), stop(void);
extern int input(void);
static int last, count;
int main(void) {
    a();
    number(last = input());
    while (input() != 5) {
        b();
        a();
        if (++count == 3)
            break;
    }
    return last;
}
