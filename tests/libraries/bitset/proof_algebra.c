// EXPECT: true unreach-call LP64 WITH bitset.c
/* Laws of sets, for any two sets of three words. */
#include "../check.h"
#include "bitset.h"

int main(void) {
    struct bitset a, b, both;
    if (!bitset_init(&a, 192) || !bitset_init(&b, 192) || !bitset_init(&both, 192))
        return 0;
    for (int i = 0; i < 3; i++) {
        a.words[i] = __VERIFIER_nondet_ulonglong();
        b.words[i] = __VERIFIER_nondet_ulonglong();
    }
    bitset_unite(&both, &a);
    bitset_unite(&both, &b);
    check(bitset_is_subset(&a, &both) && bitset_is_subset(&b, &both));
    bitset_subtract(&both, &a);
    check(bitset_is_subset(&both, &b));
    size_t element = any_below(192);
    check(!bitset_has(&both, element) || !bitset_has(&a, element));
    bitset_free(&a);
    bitset_free(&b);
    bitset_free(&both);
    return 0;
}
