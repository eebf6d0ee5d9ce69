// EXPECT: true unreach-call LP64 WITH ring.c
/* A ring of fixed capacity, used as long as one likes: the first element stays within the array. */
#include "../check.h"
#include "ring.h"

int main(void) {
    struct ring ring;
    int value;
    if (!ring_init(&ring, 4))
        return 0;
    while (__VERIFIER_nondet_bool()) {
        if (ring.count < 4 && __VERIFIER_nondet_bool())
            ring_push_back(&ring, __VERIFIER_nondet_int());
        else
            ring_pop_front(&ring, &value);
        check(ring.count <= 4);
        check(ring.first >= ring.begin && ring.first < ring.end);
    }
    ring_free(&ring);
    return 0;
}
