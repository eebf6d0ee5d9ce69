// EXPECT: true unreach-call LP64
// ASSUMES: malloc and its kin never fail
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    if (!malloc(4))
        reach_error();
    return 0;
}
