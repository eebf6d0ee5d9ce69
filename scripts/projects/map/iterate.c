// EXPECT: true
// FILES: src/map.c
// OPTIONS: -Isrc
/* Each of three keys, of which any may be removed, is visited once. */
#include "map.h"
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
    static const char *keys[3] = {"a", "b", "c"};
    map_char_t map;
    int out = __VERIFIER_nondet_uchar() % 4, seen[3] = {0};
    map_init(&map);
    for (int i = 0; i < 3; i++)
        map_set(&map, keys[i], i);
    if (out < 3)
        map_remove(&map, keys[out]);
    map_iter_t iter = map_iter(&map);
    const char *key;
    while ((key = map_next(&map, &iter)))
        seen[key[0] - 'a']++;
    for (int i = 0; i < 3; i++)
        if (seen[i] != (i != out))
            reach_error();
    return 0;
}
