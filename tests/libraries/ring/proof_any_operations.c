// EXPECT: true unreach-call LP64 WITH ring.c
/* After any operations there are as many elements as were pushed and not popped, and the sum of their values fits. */
#include "../check.h"
#include "ring.h"

#ifndef STEPS
#define STEPS 5
#endif

int main(void) {
    struct ring ring;
    size_t count = 0;
    int sum = 0, value;
    if (!ring_init(&ring, 1))
        return 0;
    for (int i = 1; i <= STEPS; i++) {
        switch (any_below(4)) {
        case 0:
            sum += i;
            count += ring_push_back(&ring, i);
            break;
        case 1:
            sum += i;
            count += ring_push_front(&ring, i);
            break;
        case 2:
            check(ring_pop_front(&ring, &value) == (count > 0));
            sum -= count > 0 ? value : 0;
            count -= count > 0;
            break;
        default:
            check(ring_pop_back(&ring, &value) == (count > 0));
            sum -= count > 0 ? value : 0;
            count -= count > 0;
        }
    }
    check(ring.count == count);
    for (size_t i = 0; i < count; i++)
        sum -= *ring_at(&ring, i);
    check(sum == 0);
    ring_free(&ring);
    return 0;
}
