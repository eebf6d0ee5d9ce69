// EXPECT: true
// FILES: src/vec.c
// OPTIONS: -Isrc
/* Any three numbers: pushed, one inserted before them, one removed. */
#include "vec.h"
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    vec_int_t v;
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
    vec_init(&v);
    vec_push(&v, a);
    vec_push(&v, b);
    vec_insert(&v, 0, c);
    vec_splice(&v, 1, 1);
    vec_reverse(&v);
    if (v.length != 2 || v.data[0] != b || v.data[1] != c)
        reach_error();
    vec_deinit(&v);
    return 0;
}
