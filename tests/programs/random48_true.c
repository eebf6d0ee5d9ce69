// EXPECT: true unreach-call LP64
// The generator that POSIX defines: a zero is not followed by another one, and equal seeds give equal numbers.
#include <stdlib.h>
#include <time.h>

extern void reach_error(void);

int main(void) {
    srand48(time(NULL));
    double a = drand48(), b = drand48();
    if (a == 0 && b == 0)
        reach_error();
    srand48(1);
    long first = lrand48(), second = mrand48();
    srand48(1);
    if (lrand48() != first || mrand48() != second || first != 89400484)
        reach_error();
    return 0;
}
