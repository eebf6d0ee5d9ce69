// EXPECT: false
// FILES: src/list.c src/list_iterator.c src/list_node.c
// OPTIONS: -Isrc
/* Without a function that compares, values are found by their addresses only, even if they are equal. */
#include "list.h"
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int one = __VERIFIER_nondet_int(), two = __VERIFIER_nondet_int();
    list_t *list = list_new();
    list_lpush(list, list_node_new(&one));
    if (one == two && !list_find(list, &two))
        reach_error();
    return 0;
}
