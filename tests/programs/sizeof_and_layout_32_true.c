// EXPECT: true unreach-call ILP32
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

#include <stddef.h>

struct mixed {
    char c;
    double d;
    short s;
    void *p;
};

int main(void) {
    check(offsetof(struct mixed, d) == 4 && offsetof(struct mixed, p) == 16 && sizeof(struct mixed) == 20);
    check(sizeof(long double) == 12 && sizeof(__SIZE_TYPE__) == 4);
    return 0;
}
