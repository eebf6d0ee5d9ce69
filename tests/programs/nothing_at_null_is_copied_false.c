// EXPECT: false unreach-call LP64
// Copying no bytes from behind null is no access.
#include <string.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    char text[8] = "", *from = 0;
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 1)
        return 0;
    memcpy(text, from + 4, n);
    if (n == 0)
        reach_error();
    return 0;
}
