/* A reader of JSON (RFC 8259), which makes a tree. Numbers are integers: fractions and exponents are skipped. */
#ifndef JSON_H
#define JSON_H

#include <stddef.h>

#define JSON_MAX_DEPTH 8

enum json_kind { JSON_NULL, JSON_FALSE, JSON_TRUE, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

struct json {
    enum json_kind kind;
    struct json *next;  /* the next element of the same array or object */
    struct json *child; /* the first element of an array or object */
    char *key;          /* of an element of an object */
    char *string;       /* of a string, without escapes */
    long number;        /* of a number; it saturates */
};

/* The tree of `text`, or null if it is no JSON. Then, if `end` is not null, it gets the place of the error; else the place behind the
 * value and the blanks that follow it, which is the end of the text. */
struct json *json_parse(const char *text, const char **end);

void json_free(struct json *json);

/* The number of elements of an array or object. */
size_t json_size(const struct json *json);

/* The element at `index`, or null. */
const struct json *json_at(const struct json *json, size_t index);

/* The element of an object that has this key, or null. */
const struct json *json_get(const struct json *json, const char *key);

#endif
