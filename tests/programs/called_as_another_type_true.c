// EXPECT: true unreach-call LP64
// Calls through pointers of types that differ where it does not matter: results that are not used, and parameters that are not read.
extern void reach_error(void);

struct pair {
    float x, y;
};

struct triple {
    long x, y, z;
};

static float sum(struct pair p, struct triple t) { return p.x + p.y + t.x; }
static int narrow(unsigned char a, signed char b, _Bool c, short d) { return a + b + c + d; }
static struct triple three(int i) { return (struct triple){i, i, i}; }
static int first(int a, double unread) { return a; }

int main(void) {
    float (*volatile sums)(struct pair, struct triple) = sum;
    int (*volatile narrows)(unsigned char, signed char, _Bool, short) = narrow;
    struct triple (*volatile threes)(int) = three;
    int (*volatile firsts)(int) = (int (*)(int))first;
    void (*volatile nothing)(int) = (void (*)(int))first;
    struct pair p = {1, 2};
    nothing(1);
    if (sums(p, threes(4)) != 7.0f || narrows(200, -3, 1, -5) != 193 || firsts(3) != 3) {
        reach_error();
    }
}
