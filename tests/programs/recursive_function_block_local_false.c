// EXPECT: false unreach-call LP64
// NATIVE: no (what an uninitialised variable holds is up to the compiler)
// The variable of a block loses its value when the block is left, in functions that call themselves, too.
extern void reach_error(void);
extern int input(void);
static int seen;

static int twice(int n) {
    if (n <= 0)
        return 0;
    for (int i = 0; i < 2; i++) {
        int x;
        int *p = &x;
        if (i == 0)
            *p = 1;
        else if (*p != 1)
            reach_error();
        seen += *p;
    }
    return twice(n - 1);
}

int main(void) {
    twice(input());
    return 0;
}
