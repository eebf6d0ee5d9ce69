// EXPECT: true unreach-call LP64
// SeaHorn's proofs fill what may not have been allocated: at null there is nothing to fill, and the execution goes on.
#include <stddef.h>
#include <stdlib.h>
extern void sassert(int);
extern void memhavoc(void *, size_t);
extern _Bool nd_bool(void);
int main(void) {
    size_t n = 4;
    unsigned char *p = nd_bool() ? malloc(n) : NULL;
    memhavoc(p, n);
    sassert(n == 4 && (p == NULL || p[0] < 256));
    return 0;
}
