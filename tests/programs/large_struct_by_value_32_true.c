// EXPECT: true unreach-call ILP32
extern void reach_error(void);
extern short __VERIFIER_nondet_short(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct block {
    int cells[10];
    struct {
        char tag;
        short n;
    } end;
};

static struct block make(int n) {
    struct block b = {{0}, {'t', 0}};
    b.cells[9] = n;
    b.end.n = (short)n;
    return b;
}

int main(void) {
    short n = __VERIFIER_nondet_short();
    struct block b = make(n), c;
    c = b;
    b.cells[9] = 0;
    check(c.cells[9] == n && c.end.n == n && c.end.tag == 't');
    return 0;
}
