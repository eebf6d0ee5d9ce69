// EXPECT: false unreach-call LP64 UNKNOWN-OK
// A function of the program may have a name like those that the C library checks sizes with: it may do anything with a size.
#include <stdlib.h>
extern void reach_error(void);

static void limit_chk(unsigned long n) {
    if (n == 8)
        reach_error();
}

int main(void) {
    char *p = malloc(8);
    limit_chk(__builtin_object_size(p, 0));
    return 0;
}
