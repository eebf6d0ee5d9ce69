// EXPECT: true parallel.spc LP64
extern void a(void), b(void), number(int), stop(void);
extern int input(void);
static int last, count;
int main(void) {
    a();
    last = input();
    number(last);
    for (count = 0; count < 3; count++) {
        b();
        a();
    }
    stop();
    b();
    b();
    return 0;
}
