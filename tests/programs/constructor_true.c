// EXPECT: true unreach-call ILP32
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int ready;

__attribute__((constructor)) static void prepare(void) { ready = 42; }

int main(void) {
    check(ready == 42);
    return 0;
}
