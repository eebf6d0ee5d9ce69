// EXPECT: true unreach-call LP64
// ASSUMES: free and realloc are given only null or blocks of the heap, and each block only once
// ASSUMES: each memory access is valid
// ASSUMES: memory allocation (malloc, new, ...) never fails, also not for 0 bytes
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    char *block = malloc(16);
    free(block);
    if (__VERIFIER_nondet_int())
        free(block);
    char *first = malloc(16), *second = malloc(16);
    *first = 1;
    *second = 2;
    if (*first == 2)
        reach_error();
    return 0;
}
