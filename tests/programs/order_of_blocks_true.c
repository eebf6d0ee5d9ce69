// EXPECT: true unreach-call LP64
// The blocks of one place, and those of others, lie in some order, and it is one order: it does not change, and it is transitive. A pointer
// belongs to the block between whose ends it lies.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct pool {
    char *begin, *end;
};

static int belongs(const struct pool *pool, const char *p) { return pool->begin <= p && p < pool->end; }

static char *block(unsigned n) {
    char *p = malloc(n);
    if (!p)
        abort();
    return p;
}

int main(void) {
    char *all[3];
    for (int i = 0; i < 3; i++)
        all[i] = block(8);
    char *a = all[0], *b = all[1], *c = all[2], other;
    if (a < b && b < c && !(a < c))
        reach_error();
    if ((a + 3 < b) != (a < b + 5) || (a >= b) == (b > a))
        reach_error();
    if (&other < a && a <= b && !(&other < b))
        reach_error();
    struct pool pool = {b, b + 8};
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 2)
        return 0;
    if (belongs(&pool, all[i] + 7) != (i == 1) || belongs(&pool, &other))
        reach_error();
    return 0;
}
