// EXPECT: true scopes.spc LP64
extern void probe(void), level(void);
extern int input(void);
long value = 2;
static void down(int n) {
    static unsigned char calls;
    calls = n > 4 ? 5 : calls;
    if (n > 0) {
        int *mine = &n;
        down(n - 1);
        *mine += 0;
    }
    if (n <= 4 && calls < 5)
        level();
}
int main(void) {
    int value = 1;
    probe();
    value = input();
    down(value < 3 && value >= 0 ? value : 5);
    return value;
}
