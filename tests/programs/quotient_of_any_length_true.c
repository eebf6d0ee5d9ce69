// EXPECT: true unreach-call LP64
#include <math.h>

extern void reach_error(void);

int main(void) {
    int quotient;
    double rest = remquo(-100.25, 1, &quotient);
    if (rest != -0.25 || quotient > 0 || -quotient % 8 != 4)
        reach_error();
    return 0;
}
