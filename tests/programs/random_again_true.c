// EXPECT: true unreach-call LP64 UNKNOWN-OK
// Equal seeds give equal sequences, which the models do not compute.
#include <stdlib.h>

extern void reach_error(void);

int main(void) {
    srand(7);
    int a = rand(), b = rand();
    srand(7);
    if (rand() != a || rand() != b)
        reach_error();
    unsigned one = 3, other = 3;
    if (rand_r(&one) != rand_r(&other) || one != other)
        reach_error();
    srand48(5);
    double c = drand48();
    srand48(5);
    if (drand48() != c)
        reach_error();
    return 0;
}
