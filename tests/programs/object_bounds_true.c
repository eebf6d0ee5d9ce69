// EXPECT: true unreach-call LP64
// Which bytes lie in an object that exists: of variables, blocks, parts of them, and after their end.
// NATIVE: no (clang does not know these functions)
#include <stdlib.h>

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
_Bool __CPROVER_r_ok(const void *, size_t), __CPROVER_w_ok(const void *, size_t);
_Bool __CPROVER_same_object(const void *, const void *), sea_is_dereferenceable(const void *, size_t);
size_t __CPROVER_OBJECT_SIZE(const void *);
long __CPROVER_POINTER_OFFSET(const void *);

static const char text[] = "text";
static int table[10];

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int *dead;

static int sum(const int *numbers, size_t n) {
    int local = 0;
    check(n == 0 || __CPROVER_r_ok(numbers, n * sizeof *numbers));
    check(__CPROVER_w_ok(&local, sizeof local));
    for (size_t i = 0; i < n; i++)
        local += numbers[i];
    dead = &local;
    return local;
}

int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i = __VERIFIER_nondet_uint();
    if (n > 100 || i >= n)
        return 0;
    check(__CPROVER_r_ok(text, 5) && !__CPROVER_r_ok(text, 6) && !__CPROVER_w_ok(text, 1));
    check(__CPROVER_OBJECT_SIZE(&table[3]) == 40 && __CPROVER_POINTER_OFFSET(&table[3]) == 12);
    check(__CPROVER_r_ok(table + 9, 4) && !__CPROVER_r_ok(table + 9, 5) && !__CPROVER_r_ok(NULL, 1));
    char *block = malloc(n), *other = malloc(8);
    check(__CPROVER_w_ok(block + i, n - i) && !__CPROVER_r_ok(block + i, n - i + 1));
    check(sea_is_dereferenceable(block, n) && __CPROVER_OBJECT_SIZE(block + i) == n);
    check(__CPROVER_same_object(block, block + i) && !__CPROVER_same_object(block, other));
    check(sum(table, i % 10) == 0);
    check(!__CPROVER_r_ok(dead, 4));
    free(block);
    check(!__CPROVER_r_ok(block, 1) && __CPROVER_r_ok(other, 8));
    return 0;
}
