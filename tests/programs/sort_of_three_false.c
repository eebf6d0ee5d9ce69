// EXPECT: false unreach-call LP64
// INPUTS: 2 3 1
#include <stdlib.h>
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
static int compare(const void *a, const void *b) {
    return *(const unsigned char *)a - *(const unsigned char *)b;
}
int main(void) {
    unsigned char a[3];
    for (int i = 0; i < 3; i++)
        a[i] = __VERIFIER_nondet_uchar();
    if (a[0] != 2 || a[1] != 3)
        return 0;
    qsort(a, 3, 1, compare);
    if (a[0] == 1 && a[1] == 2 && a[2] == 3)
        reach_error();
    return 0;
}
