// EXPECT: true unreach-call LP64
/* Pointers are written at an index of an array inside a structure: for all that is known, the number behind it may be one of them. */
#include <stdlib.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
struct list {
    int *items[3];
    int count;
};
static void add(struct list *list, int *item) {
    if (list->count < 3)
        list->items[list->count++] = item;
}
int main(void) {
    int a = 1, b = 2;
    int *c = malloc(sizeof *c);
    if (!c)
        return 0;
    *c = __VERIFIER_nondet_uint() % 8;
    struct list list = {{0}, 0};
    add(&list, &a);
    add(&list, c);
    add(&list, &b);
    add(&list, &a);
    int sum = 0;
    for (int i = 0; i < list.count; i++)
        sum += *list.items[i];
    if (list.count != 3 || sum < 3 || sum > 10)
        reach_error();
    return 0;
}
