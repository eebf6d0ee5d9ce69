// EXPECT: true unreach-call LP64
// OPTIONS: --entry f
// ASSUMES: when f is entered, global variables of the program have their initial values, and the C library is in its initial state
#include <errno.h>
extern void reach_error(void);
int f(void) {
    if (errno)
        reach_error();
    return 0;
}
