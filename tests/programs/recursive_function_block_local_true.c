// EXPECT: true unreach-call LP64
// A variable outside the loop keeps its value, in functions that call themselves, too.
extern void reach_error(void);
extern int input(void);

static int twice(int n) {
    int x = 0;
    int *p = &x;
    if (n <= 0 || n > 2)
        return 0;
    for (int i = 0; i < 2; i++) {
        if (i == 0)
            *p = 1;
        else if (*p != 1)
            reach_error();
    }
    return twice(n - 1);
}

int main(void) {
    twice(input());
    return 0;
}
