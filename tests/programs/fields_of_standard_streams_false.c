// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (what a FILE consists of is up to the C library)
#include <stdio.h>
#include <string.h>
extern void reach_error(void);
int main(void) {
    if (stdin->_flags != 0 || memcmp(stdin, stdout, 4) != 0)
        reach_error();
    return 0;
}
