// EXPECT: true
// FILES: src/list.c src/list_iterator.c src/list_node.c
// OPTIONS: -Isrc
/* Of a list of any length up to three, any index finds the node that has it from the left, or from the right if it is negative. */
#include "list.h"
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    list_node_t *nodes[3];
    int n = __VERIFIER_nondet_int(), index = __VERIFIER_nondet_int();
    if (n < 0 || n > 3)
        return 0;
    list_t *list = list_new();
    for (int i = 0; i < n; i++)
        nodes[i] = list_rpush(list, list_node_new(NULL));
    list_node_t *found = list_at(list, index);
    if (index >= -n && index < n) {
        if (found != nodes[index < 0 ? index + n : index])
            reach_error();
    } else if (found) {
        reach_error();
    }
    return 0;
}
