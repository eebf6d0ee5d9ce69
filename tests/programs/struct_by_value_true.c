// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int holds);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct point {
    int x, y;
    char name[8];
};

static struct point moved(struct point p, int dx) {
    p.x += dx;
    p.name[0] = 'm';
    return p;
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > -1000 && x < 1000);
    struct point p = {x, 2, "p"};
    struct point q = moved(p, 5);
    check(p.x == x && p.name[0] == 'p');
    check(q.x == x + 5 && q.y == 2 && q.name[0] == 'm');
    return 0;
}
