// EXPECT: false unreach-call LP64
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    char *freed = aligned_alloc(64, 64);
    free(freed);
    char *p = aligned_alloc(64, 64);
    p[3] = 7;
    p = realloc(p, 128);
    if (p[3] == 7)
        reach_error();
    free(p);
    return 0;
}
