// EXPECT: false unreach-call LP64
// The execution goes on where there was nothing to fill.
#include <stddef.h>
#include <stdlib.h>
extern void sassert(int);
extern void memhavoc(void *, size_t);
extern _Bool nd_bool(void);
int main(void) {
    size_t n = 4;
    unsigned char *p = nd_bool() ? malloc(n) : NULL;
    memhavoc(p, n);
    sassert(p != NULL);
    return 0;
}
