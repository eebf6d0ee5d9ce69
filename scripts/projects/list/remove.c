// EXPECT: true
// FILES: src/list.c src/list_iterator.c src/list_node.c
// OPTIONS: -Isrc
/* Whichever node of three is removed, the two others are left, in their order, in both directions. */
#include "list.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    int values[3] = {0, 1, 2}, out = __VERIFIER_nondet_uchar() % 3;
    list_t *list = list_new();
    for (int i = 0; i < 3; i++)
        list_rpush(list, list_node_new(&values[i]));
    list_remove(list, list_find(list, &values[out]));
    int *first = list_at(list, 0)->val, *second = list_at(list, 1)->val;
    if (list->len != 2 || *first == out || *second == out || *first >= *second || list_find(list, &values[out]))
        reach_error();
    if (list_at(list, -1)->val != second || list_at(list, -2)->val != first)
        reach_error();
    list_destroy(list);
    return 0;
}
