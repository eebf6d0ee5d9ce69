// EXPECT: true unreach-call LP64
// Every value is known, so that the recursion ends where the program says, whatever the bound of the call stack above it.
extern void reach_error(void);

static unsigned sum(unsigned n) { return n == 0 ? 0 : n + sum(n - 1); }

int main(void) {
    if (sum(40) != 820)
        reach_error();
    return 0;
}
