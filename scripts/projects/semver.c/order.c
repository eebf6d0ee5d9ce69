// EXPECT: true
// FILES: semver.c
// OPTIONS: -I.
/* The order of any versions is antisymmetric and transitive, and the bump of the patch makes a version higher. */
#include <limits.h>
#include "semver.h"
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static semver_t any(void) {
    semver_t version = {0};
    version.major = __VERIFIER_nondet_int();
    version.minor = __VERIFIER_nondet_int();
    version.patch = __VERIFIER_nondet_int();
    return version;
}

int main(void) {
    semver_t x = any(), y = any(), z = any();
    if (semver_compare(x, y) != -semver_compare(y, x))
        reach_error();
    if (semver_gte(x, y) && semver_gte(y, z) && !semver_gte(x, z))
        reach_error();
    if (semver_satisfies(x, y, ">=") != !semver_satisfies(x, y, "<"))
        reach_error();
    if (x.patch < INT_MAX) {
        semver_t next = x;
        semver_bump_patch(&next);
        if (!semver_gt(next, x))
            reach_error();
    }
    return 0;
}
