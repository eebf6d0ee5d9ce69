// What decides the argument of check()? Not the history, and not the second sum.
extern int input(void);
extern void check(int);

static int history[8], calls;

static void note(int value) { history[calls++ & 7] = value; }

int main(void) {
    int n = input();
    int sum = 0, product = 1;
    for (int i = 1; i <= n; i++) {
        note(i);
        sum += i;
        product *= i;
    }
    if (product < 0)
        note(product);
    check(sum);
    return calls;
}
