// EXPECT: true unreach-call LP64
/* Two elements of an array with any indices: a field of one is no other field of the other; and its own only if the indices are equal. */
#include <stdlib.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct element {
    long number;
    long *link;
    char text[16];
};

int main(void) {
    struct element *all = calloc(1000, sizeof *all);
    if (!all)
        return 0;
    long here = 7;
    unsigned i = __VERIFIER_nondet_uint() % 1000, j = __VERIFIER_nondet_uint() % 1000;
    all[i].number = 3;
    all[j].link = &here;
    all[j].text[i % 16] = 'x';
    if (all[i].number != 3 || *all[j].link != 7)
        reach_error();
    if (all[i].link && i != j)
        reach_error();
    return 0;
}
