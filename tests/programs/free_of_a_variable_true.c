// EXPECT: true unreach-call LP64 UNKNOWN-OK
// NATIVE: no-sanitizers
// Only blocks can be freed: the execution ends before.
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    int x = 1;
    int *volatile p = &x;
    free(p);
    reach_error();
    return 0;
}
