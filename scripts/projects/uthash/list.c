// EXPECT: true
// FILES:
// OPTIONS: -Isrc
/* utlist.h: up to four numbers are sorted. */
#include <stdlib.h>
#include "utlist.h"
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static int compare(struct node *a, struct node *b) { return (a->value > b->value) - (a->value < b->value); }

int main(void) {
    struct node nodes[3], *head = NULL, *node;
    for (int i = 0; i < 3; i++) {
        nodes[i].value = __VERIFIER_nondet_int();
        LL_PREPEND(head, &nodes[i]);
    }
    LL_SORT(head, compare);
    int count = 0;
    LL_FOREACH(head, node) {
        count++;
        if (node->next && node->value > node->next->value)
            reach_error();
    }
    if (count != 3)
        reach_error();
    return 0;
}
