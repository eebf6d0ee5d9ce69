// EXPECT: true
// FILES: src/list.c src/list_iterator.c src/list_node.c
// OPTIONS: -Isrc
/* Any four operations at the ends of a list do what they do to an array. */
#include "list.h"
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int values[4], model[8], first = 4, last = 4;
    list_t *list = list_new();
    for (int i = 0; i < 4; i++) {
        list_node_t *node = NULL;
        values[i] = __VERIFIER_nondet_int();
        switch (__VERIFIER_nondet_int()) {
        case 0:
            list_rpush(list, list_node_new(&values[i]));
            model[last++] = values[i];
            break;
        case 1:
            list_lpush(list, list_node_new(&values[i]));
            model[--first] = values[i];
            break;
        case 2:
            node = list_rpop(list);
            if ((node != NULL) != (first < last) || (node && *(int *)node->val != model[--last]))
                reach_error();
            break;
        default:
            node = list_lpop(list);
            if ((node != NULL) != (first < last) || (node && *(int *)node->val != model[first++]))
                reach_error();
        }
        if (list->len != last - first)
            reach_error();
    }
    list_destroy(list);
    return 0;
}
