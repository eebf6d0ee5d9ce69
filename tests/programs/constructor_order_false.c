// EXPECT: false unreach-call LP64
// INPUTS:
extern void reach_error(void);

static int order;

__attribute__((constructor(200))) static void second(void) { order = order * 10 + 2; }
__attribute__((constructor(101))) static void first(void) { order = order * 10 + 1; }

int main(void) {
    if (order == 12)
        reach_error();
    return 0;
}
