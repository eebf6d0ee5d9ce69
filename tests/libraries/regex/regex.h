/* Simple regular expressions: characters, `.`, classes as in `[a-z_]` and `[^"]`, `\` before what is meant literally, `*`, `+` and `?`
 * behind one of these, `^` at the start and `$` at the end. */
#ifndef REGEX_H
#define REGEX_H

#include <stddef.h>

#define REGEX_MAX_NODES 8
#define REGEX_MAX_CLASS 8

enum regex_kind { REGEX_CHARACTER, REGEX_ANY, REGEX_CLASS, REGEX_NOT_CLASS, REGEX_END };

struct regex_node {
    enum regex_kind kind;
    char character;
    unsigned char least; /* how often it must match: 0 or 1 */
    unsigned char many;  /* whether it may match any number of times, and not only once */
    unsigned char class; /* of a class: the index of its first range */
    unsigned char ranges;
};

struct regex {
    int at_start, at_end;
    struct {
        char low, high;
    } ranges[REGEX_MAX_CLASS];
    struct regex_node nodes[REGEX_MAX_NODES + 1]; /* the last one is REGEX_END */
};

/* Returns 0 if the expression is wrong or too long. */
int regex_compile(struct regex *regex, const char *pattern);

/* The first match in the text, which is as long as possible. Returns 0 if there is none. */
int regex_find(const struct regex *regex, const char *text, const char **start, const char **end);

#endif
