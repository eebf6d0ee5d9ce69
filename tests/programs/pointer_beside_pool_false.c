// EXPECT: false unreach-call LP64
// A pool tells its own pointers from others by their order, but its end is one byte too far: a pointer just behind it counts as well.
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static char *begin, *end;

static int belongs(const char *p) { return begin <= p && p <= end; }

int main(void) {
    for (int i = 0; i < 2; i++) {
        begin = malloc(16);
        if (!begin)
            return 0;
    }
    end = begin + 16;
    unsigned i = __VERIFIER_nondet_uint();
    if (i <= 16 && belongs(begin + i) && begin + i == end)
        reach_error();
    return 0;
}
