// EXPECT: true unreach-call LP64 WITH queue.c
/* An element is found where it was inserted: behind all smaller ones. */
#include "../check.h"
#include "queue.h"

static int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

int main(void) {
    int values[3], wanted = __VERIFIER_nondet_int();
    void *sorted[3];
    for (int i = 0; i < 3; i++) {
        values[i] = __VERIFIER_nondet_int();
        sorted_insert(sorted, i, &values[i], compare);
    }
    size_t found = sorted_find(sorted, 3, &wanted, compare);
    for (size_t i = 0; i < 3; i++)
        check((*(int *)sorted[i] < wanted) == (i < found));
    return 0;
}
