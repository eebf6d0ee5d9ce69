// EXPECT: true
// FILES:
// OPTIONS: -Isrc
/* Different texts of two small letters have different hashes. */
#include "map.c"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    char one[3] = "", two[3] = "";
    for (int i = 0; i < 2; i++) {
        one[i] = __VERIFIER_nondet_char();
        two[i] = __VERIFIER_nondet_char();
        if (one[i] < 'a' || one[i] > 'z' || two[i] < 'a' || two[i] > 'z')
            return 0;
    }
    if (one[0] != two[0] && map_hash(one) == map_hash(two))
        reach_error();
    return 0;
}
