// EXPECT: false unreach-call LP64 UNKNOWN-OK
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    FILE *f = fopen("/dev/null", "r");
    if (f && f->_flags < 0)
        reach_error();
    return 0;
}
