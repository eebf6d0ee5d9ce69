// EXPECT: false unreach-call LP64 UNKNOWN-OK
// Small blocks are not aligned as large ones: the second of them is not.
// NATIVE: no (where blocks lie is not ours to choose)
#include <stdint.h>
#include <stdlib.h>

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static void *acquire(size_t size) {
    const size_t alignment = sizeof(void *) * (size > 4096 ? 8 : 2);
    void *result = NULL;
    posix_memalign(&result, alignment, size);
    return result;
}

int main(void) {
    unsigned size = __VERIFIER_nondet_uint() % 8192 + 1;
    char *first = acquire(size), *second = acquire(16);
    if (first != NULL && (uintptr_t)second % 64 == 16)
        reach_error();
    return 0;
}
