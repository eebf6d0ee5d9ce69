// EXPECT: false unreach-call LP64 UNKNOWN-OK
// A null pointer has an order of its own: not that of the object to which its variable may point as well.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    char object, *block = NULL;
    for (int i = 0; i < 2; i++) {
        block = malloc(8);
        if (!block)
            return 0;
    }
    char *p = __VERIFIER_nondet_int() ? &object : NULL;
    if (&object < block)
        return 0;
    if (!p && p < block)
        reach_error();
    return 0;
}
