// EXPECT: false unreach-call LP64 UNKNOWN-OK
#include <stdint.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    char *text = strerror(__VERIFIER_nondet_int());
    if (text && ((uintptr_t)text & 1))
        reach_error();
    return 0;
}
