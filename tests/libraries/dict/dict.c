#include "dict.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE 2

void dict_init(struct dict *dict) {
    dict->buckets = NULL;
    dict->size = dict->count = 0;
}

void dict_free(struct dict *dict) {
    for (size_t i = 0; i < dict->size; i++) {
        struct dict_entry *entry = dict->buckets[i];
        while (entry) {
            struct dict_entry *next = entry->next;
            free(entry);
            entry = next;
        }
    }
    free(dict->buckets);
    dict_init(dict);
}

/* FNV-1a, by Fowler, Noll and Vo. */
static unsigned hash(const char *key) {
    unsigned hash = 2166136261u;
    for (; *key; key++)
        hash = (hash ^ (unsigned char)*key) * 16777619u;
    return hash;
}

/* The link that leads to the entry of `key`, or the null at the end of its chain. */
static struct dict_entry **find(const struct dict *dict, const char *key, unsigned hash) {
    struct dict_entry **link = &dict->buckets[hash & (dict->size - 1)];
#ifdef BUG_PREFIX
    while (*link && strncmp((*link)->key, key, strlen((*link)->key)) != 0)
#else
    while (*link && ((*link)->hash != hash || strcmp((*link)->key, key) != 0))
#endif
        link = &(*link)->next;
    return link;
}

static int grow(struct dict *dict) {
    size_t size = dict->size == 0 ? FIRST_SIZE : 2 * dict->size;
    struct dict_entry **buckets = calloc(size, sizeof *buckets);
    if (!buckets)
        return 0;
    for (size_t i = 0; i < dict->size; i++) {
        struct dict_entry *entry = dict->buckets[i];
        while (entry) {
            struct dict_entry *next = entry->next;
            struct dict_entry **bucket = &buckets[entry->hash & (size - 1)];
#ifdef BUG_LOSE_CHAIN
            entry->next = NULL;
#else
            entry->next = *bucket;
#endif
            *bucket = entry;
            entry = next;
        }
    }
    free(dict->buckets);
    dict->buckets = buckets;
    dict->size = size;
    return 1;
}

int dict_set(struct dict *dict, const char *key, void *value) {
    unsigned h = hash(key);
    if (dict->count >= dict->size && !grow(dict))
        return 0;
    struct dict_entry **link = find(dict, key, h);
    if (!*link) {
        size_t length = strlen(key);
        struct dict_entry *entry = malloc(sizeof *entry + length + 1);
        if (!entry)
            return 0;
        entry->next = NULL;
        entry->hash = h;
        memcpy(entry->key, key, length + 1);
        *link = entry;
        dict->count++;
    }
    (*link)->value = value;
    return 1;
}

void *dict_get(const struct dict *dict, const char *key) {
    if (dict->size == 0)
        return NULL;
    struct dict_entry *entry = *find(dict, key, hash(key));
    return entry ? entry->value : NULL;
}

void *dict_remove(struct dict *dict, const char *key) {
    if (dict->size == 0)
        return NULL;
    struct dict_entry **link = find(dict, key, hash(key));
    struct dict_entry *entry = *link;
    if (!entry)
        return NULL;
    void *value = entry->value;
#ifdef BUG_CUT_CHAIN
    *link = NULL;
#else
    *link = entry->next;
#endif
    free(entry);
    dict->count--;
    return value;
}

static void find_bucket(struct dict_iterator *iterator) {
    while (!iterator->entry && iterator->bucket < iterator->dict->size)
        iterator->entry = iterator->dict->buckets[iterator->bucket++];
}

struct dict_iterator dict_begin(const struct dict *dict) {
    struct dict_iterator iterator = {dict, 0, NULL};
    find_bucket(&iterator);
    return iterator;
}

void dict_advance(struct dict_iterator *iterator) {
    iterator->entry = iterator->entry->next;
    find_bucket(iterator);
}
