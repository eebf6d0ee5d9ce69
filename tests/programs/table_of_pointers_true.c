// EXPECT: true unreach-call LP64
/* A table of lists, of which an input chooses one: a hash table with four buckets. */
#include <stdlib.h>
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
struct entry {
    unsigned key;
    struct entry *next;
};
static struct entry *buckets[4];
static unsigned count;
static struct entry *find(unsigned key) {
    struct entry *entry = buckets[(key ^ key >> 2) & 3];
    while (entry && entry->key != key)
        entry = entry->next;
    return entry;
}
static void add(unsigned key) {
    if (find(key))
        return;
    struct entry *entry = malloc(sizeof *entry);
    if (!entry)
        exit(1);
    struct entry **bucket = &buckets[(key ^ key >> 2) & 3];
    entry->key = key;
    entry->next = *bucket;
    *bucket = entry;
    count++;
}
int main(void) {
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    add(a);
    add(b);
    add(a);
    unsigned found = 0;
    for (int i = 0; i < 4; i++)
        for (struct entry *entry = buckets[i]; entry; entry = entry->next) {
            found++;
            if (entry->key != a && entry->key != b)
                reach_error();
        }
    if (found != count || count != 2u - (a == b) || !find(a) || !find(b))
        reach_error();
    return 0;
}
