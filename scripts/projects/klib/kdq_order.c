// EXPECT: true
// FILES:
// OPTIONS: -I.
/* kdq.h: numbers leave the queue in the order in which they came, whatever they are. */
#include "kdq.h"
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
KDQ_INIT(int)

int main(void) {
    kdq_t(int) *queue = kdq_init(int);
    int values[6];
    for (int i = 0; i < 6; i++) {
        values[i] = __VERIFIER_nondet_int();
        kdq_push(int, queue, values[i]);
    }
    for (int i = 0; i < 6; i++)
        if (*kdq_shift(int, queue) != values[i])
            reach_error();
    if (kdq_shift(int, queue) != 0)
        reach_error();
    return 0;
}
