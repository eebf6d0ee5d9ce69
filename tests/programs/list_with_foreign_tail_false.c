// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (what rest returns is not ours to choose)
// The library owns the rest of the list.
#include <stdlib.h>
extern void reach_error(void);
struct node { struct node *next; int value; };
extern struct node *rest(void);

int main(void) {
    struct node *head = malloc(sizeof *head);
    head->value = 1;
    head->next = rest();
    for (struct node *n = head; n; n = n->next)
        if (n->value != 1)
            reach_error();
    return 0;
}
