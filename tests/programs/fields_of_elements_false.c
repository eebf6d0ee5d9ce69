// EXPECT: false unreach-call LP64
/* Two elements of an array with any indices; what is written may be beyond the text,
   in the number of the next element. */
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
    ((char *)&all[j])[16 + i % 24] = 1;
    if (all[i].number != 3 || *all[j].link != 7)
        reach_error();
    if (all[i].link && i != j)
        reach_error();
    return 0;
}
