// EXPECT: true unreach-call LP64
// The alignment that a program computes of constants: that of a cache line for large blocks. A wrapper passes it on.
#include <stdint.h>
#include <stdlib.h>

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static void *acquire(size_t size) {
    const size_t alignment = sizeof(void *) * (size > 4096 ? 8 : 2);
    void *result = NULL;
    int error = posix_memalign(&result, alignment, size);
    (void)error;
    return result;
}

static void *take(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }

int main(void) {
    unsigned size = __VERIFIER_nondet_uint() % 8192 + 1;
    char *block = acquire(size), *line = take(32, 64), *other;
    if (size > 4096 && (uintptr_t)block % 64 != 0)
        reach_error();
    if ((uintptr_t)line % 32 != 0 || line == block)
        reach_error();
    block[size - 1] = 'x';
    unsigned any = size % 4096;
    if (posix_memalign((void **)&other, any, 8) == 0 && (any & (any - 1)) != 0)
        reach_error();
    if (block[size - 1] != 'x')
        reach_error();
    free(block);
    return 0;
}
