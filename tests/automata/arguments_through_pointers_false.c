// EXPECT: false arguments.spc LP64
// VIOLATED: at() outside of the array
extern void at(int *, unsigned long);
extern int input(void);
static int limit, a[10];
static void near(int *p, unsigned long i) { p[i & 1]++; }
int main(void) {
    void (*f)(int *, unsigned long) = input() ? at : near;
    f(a, 20);
    return limit;
}
