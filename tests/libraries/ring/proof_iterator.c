// EXPECT: true unreach-call LP64 WITH ring.c
/* An iterator visits each element once, wherever the first one lies. */
#include "../check.h"
#include "ring.h"

int main(void) {
    struct ring ring;
    int value;
    if (!ring_init(&ring, 4))
        return 0;
    unsigned start = any_below(4), count = any_below(4);
    for (unsigned i = 0; i < start; i++) {
        ring_push_back(&ring, -1);
        ring_pop_front(&ring, &value);
    }
    for (unsigned i = 0; i < count; i++)
        ring_push_back(&ring, i);
    unsigned visited = 0;
    for (int *at = ring_first(&ring); at; at = ring_next(&ring, at)) {
        check(*at == (int)visited && at == ring_at(&ring, visited));
        visited++;
    }
    check(visited == count);
    ring_free(&ring);
    return 0;
}
