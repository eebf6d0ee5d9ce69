/* A hash table from texts to pointers, with chains. It owns its keys. */
#ifndef DICT_H
#define DICT_H

#include <stddef.h>

struct dict_entry {
    struct dict_entry *next;
    unsigned hash;
    void *value;
    char key[]; /* ends with a null character */
};

struct dict {
    struct dict_entry **buckets;
    size_t size; /* number of buckets: 0 or a power of two */
    size_t count;
};

struct dict_iterator {
    const struct dict *dict;
    size_t bucket;
    struct dict_entry *entry;
};

void dict_init(struct dict *dict);
void dict_free(struct dict *dict);

/* Sets the value of `key`. Returns 0 if there is no memory. */
int dict_set(struct dict *dict, const char *key, void *value);

/* The value of `key`, or null. */
void *dict_get(const struct dict *dict, const char *key);

/* Removes `key`. Returns its value, or null if it was not there. */
void *dict_remove(struct dict *dict, const char *key);

/* `for (struct dict_iterator i = dict_begin(d); i.entry; dict_advance(&i))` visits all entries. */
struct dict_iterator dict_begin(const struct dict *dict);
void dict_advance(struct dict_iterator *iterator);

#endif
