// EXPECT: false
// FILES: src/vec.c
// OPTIONS: -Isrc
/* Removing a number removes only its first occurrence. */
#include "vec.h"
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    vec_int_t v;
    int at;
    vec_init(&v);
    for (int i = 0; i < 3; i++)
        vec_push(&v, __VERIFIER_nondet_int());
    vec_remove(&v, 7);
    vec_find(&v, 7, at);
    if (at != -1)
        reach_error();
    return 0;
}
