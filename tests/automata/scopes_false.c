// EXPECT: false scopes.spc LP64
// VIOLATED: too deep
extern void probe(void), level(void);
extern int input(void);
long value = 1;
static void down(int n) {
    static unsigned char calls;
    calls++;
    probe();
    int *mine = &n;
    if (n > 0)
        down(n - 1);
    *mine -= 3;
    level();
}
int main(void) {
    down(input());
    return (int)value;
}
