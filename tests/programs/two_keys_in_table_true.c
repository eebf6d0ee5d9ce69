// EXPECT: true unreach-call LP64
/* A table whose slots have a size that is computed, with a hash value in a bit-field beside the length of the probe: what is put in with any
   two keys is found. The slot that is moved lies behind the table
   itself, at a computed place, so that links and numbers seem to share their places. */
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct slot {
    unsigned long hash : 48;
    unsigned long probes : 16;
};

struct pair {
    long key;
    const char *name;
};

struct table {
    size_t slot_size, mask;
    char *slots;
    struct slot *moved;
};

static struct slot *slot_at(struct table *t, size_t i) { return (struct slot *)(t->slots + t->slot_size * (i & t->mask)); }

static void put(struct table *t, const struct pair *p) {
    struct slot *new = t->moved;
    new->hash = p->key * 40503u;
    new->probes = 1;
    memcpy(new + 1, p, t->slot_size - sizeof *new);
    size_t i = new->hash;
    while (slot_at(t, i)->probes) {
        i++;
        new->probes++;
    }
    memcpy(slot_at(t, i), new, t->slot_size);
}

static const struct pair *get(struct table *t, long key) {
    for (size_t i = key * 40503u; slot_at(t, i)->probes; i++) {
        const struct pair *p = (const struct pair *)(slot_at(t, i) + 1);
        if (p->key == key)
            return p;
    }
    return NULL;
}

int main(void) {
    size_t slot_size = sizeof(struct slot) + sizeof(struct pair);
    struct table *t = malloc(sizeof *t + 2 * slot_size);
    if (!t)
        return 0;
    t->slot_size = slot_size;
    t->mask = 7;
    t->slots = calloc(8, slot_size);
    t->moved = (struct slot *)((char *)(t + 1) + slot_size);
    if (!t->slots)
        return 0;
    struct pair one = {__VERIFIER_nondet_uchar(), "one"}, two = {__VERIFIER_nondet_uchar(), "two"};
    if (one.key == two.key)
        return 0;
    put(t, &one);
    put(t, &two);
    const struct pair *first = get(t, one.key), *second = get(t, two.key);
    if (!first || !second || strlen(first->name) != 3 || first->name[0] != 'o' || second->name[0] != 't')
        reach_error();
    return 0;
}
