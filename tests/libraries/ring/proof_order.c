// EXPECT: true unreach-call LP64 WITH ring.c
/* First in, first out, over the end of the array and over its growth. */
#include "../check.h"
#include "ring.h"

int main(void) {
    struct ring ring;
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), z = __VERIFIER_nondet_int(), value;
    if (!ring_init(&ring, 2))
        return 0;
    ring_push_back(&ring, 0);
    ring_pop_front(&ring, &value);
    check(value == 0);
    ring_push_back(&ring, x);
    ring_push_back(&ring, y);
    ring_push_back(&ring, z);
    check(*ring_at(&ring, 1) == y);
    check(ring_pop_front(&ring, &value) && value == x);
    check(ring_pop_back(&ring, &value) && value == z);
    check(ring_pop_back(&ring, &value) && value == y);
    check(!ring_pop_back(&ring, &value) && !ring_first(&ring));
    ring_free(&ring);
    return 0;
}
