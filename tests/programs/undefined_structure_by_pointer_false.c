// EXPECT: false unreach-call LP64
// NATIVE: no (the function that the harness would define returns a structure)
// Each call of an undefined function returns another structure, also through a pointer.
extern void reach_error(void);
struct block {
    long x;
    long rest[3];
};
extern struct block next(void);

static int loop(int n) {
    struct block (*f)(void) = next;
    long last = 0;
    for (int i = 0; i < 2; i++) {
        struct block b = f();
        if (i && last != b.x)
            reach_error();
        last = b.x;
    }
    return n > 0 ? loop(n - 1) : 0;
}

int main(void) { return loop(2); }
