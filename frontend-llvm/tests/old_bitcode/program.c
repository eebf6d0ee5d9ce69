// Compiled to llvm13.bc, llvm14.bc, llvm16.bc and llvm22.bc, each by the clang of that version, with these options:
// -g -O1 -Xclang -disable-llvm-passes -c -emit-llvm -fdebug-compilation-dir=.

struct point { int x; short y; double weight; };

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static struct point points[3] = {{1, 2, 0.5}, {3, 4, 1.5}, {5, 6, 2.5}};
static const int offsets[4] = {7, 8, 9, 10};
static int (*operation)(int);
static const char *const names[2] = {"one", "two"};

static int twice(int n) { return 2 * n; }

static int sum(const struct point *p, int n) {
    int total = 0;
    for (int i = 0; i < n; i++) {
        int part = p[i].x + p[i].y;
        total += part + (int)p[i].weight;
    }
    return total;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    operation = twice;
    points[1].x = operation(n & 7);
    int total = sum(points, 3) + offsets[n & 3] + names[1][2];
    __asm__ volatile("nop" : : : "memory");
    switch (n & 7) {
    case 4:
        if (total == 147)
            reach_error();
        break;
    default:
        break;
    }
    return total;
}
