// EXPECT: false unreach-call LP64
/* Nodes are linked in an order that begins with any of them: each pointer is one of seven. */
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
struct node {
    unsigned key;
    struct node *next;
};
static struct node nodes[7], *list;
static void insert(struct node *node) {
    struct node **link = &list;
    while (*link && (*link)->key < node->key)
        link = &(*link)->next;
    node->next = *link;
    *link = node;
}
int main(void) {
    unsigned first = __VERIFIER_nondet_uint() % 7, count = 0;
    for (unsigned i = 0; i < 7; i++)
        nodes[i].key = i;
    for (unsigned i = 0; i < 7; i++)
        insert(&nodes[(first + i) % 7 + (first == 5 && i == 6)]);
    for (struct node *node = list; node; node = node->next)
        if (node != &nodes[count++])
            reach_error();
    if (count != 7)
        reach_error();
    return 0;
}
