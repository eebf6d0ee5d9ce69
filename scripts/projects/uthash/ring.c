// EXPECT: true
// FILES:
// OPTIONS: -Isrc
/* utringbuffer.h: of five numbers, a ring of three has the last three. */
#include "utringbuffer.h"
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    UT_icd icd = {sizeof(int), NULL, NULL, NULL};
    UT_ringbuffer *ring;
    int values[5];
    utringbuffer_new(ring, 3, &icd);
    for (int i = 0; i < 5; i++) {
        values[i] = __VERIFIER_nondet_int();
        utringbuffer_push_back(ring, &values[i]);
    }
    for (int i = 0; i < 3; i++)
        if (*(int *)utringbuffer_eltptr(ring, i) != values[2 + i])
            reach_error();
    return 0;
}
