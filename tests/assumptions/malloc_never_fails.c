// EXPECT: true unreach-call LP64
// ASSUMES: memory allocation (malloc, new, ...) never fails, also not for 0 bytes
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    if (!malloc(4))
        reach_error();
    return 0;
}
