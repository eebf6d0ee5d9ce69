// EXPECT: true unreach-call LP64
// Function pointers that may be anything, but are assumed to be one of two functions, or none, before they are called.
#include <stddef.h>

extern void *__VERIFIER_nondet_pointer(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

struct handlers {
    int (*next)(int);
    void (*clear)(int *);
};

static int calls;

static int increment(int n) {
    calls++;
    return n + 1;
}
static int twice(int n) { return 2 * n; }
static void clear(int *p) { *p = 0; }
static void unused(int *p) { *p = 99; }

int main(void) {
    struct handlers handlers = {(int (*)(int))__VERIFIER_nondet_pointer(), (void (*)(int *))__VERIFIER_nondet_pointer()};
    __VERIFIER_assume(handlers.next == increment || handlers.next == twice);
    __VERIFIER_assume(handlers.clear == NULL || handlers.clear == clear);
    int n = 5;
    if (handlers.clear)
        handlers.clear(&n);
    if (handlers.clear == unused)
        reach_error();
    int before = n;
    n = handlers.next(n);
    if (calls ? n != before + 1 : n != 2 * before)
        reach_error();
    return 0;
}
