// EXPECT: true unreach-call LP64
// Ten characters are at most ten digits, also for integers of 64 bits.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    long decimal, hexadecimal;
    if (scanf("%10ld", &decimal) == 1 && (decimal > 9999999999 || decimal < -999999999))
        reach_error();
    if (scanf("%8lx", &hexadecimal) == 1 && hexadecimal > 0xffffffff)
        reach_error();
    return 0;
}
