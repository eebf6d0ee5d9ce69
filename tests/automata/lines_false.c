// EXPECT: false lines.spc LP64
// VIOLATED: large
struct pair { short x; signed char y; };
extern int input(void);
int main(void) {
    int x = input(), a[3] = {0, 0, input()};
    struct pair p = {1, (signed char)input()};
    if (x > 0)
        x = -x;
    p.x += x;
    x = 0;
    return p.x + a[x];
}
