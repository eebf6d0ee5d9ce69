#include "regex.h"

#include <string.h>

/* Reads a class behind its bracket. Returns what follows; null if it is wrong. */
static const char *read_class(struct regex *regex, struct regex_node *node, int *used, const char *at) {
    node->kind = REGEX_CLASS;
    if (*at == '^') {
        node->kind = REGEX_NOT_CLASS;
        at++;
    }
    node->class = *used;
    do {
        if (*at == '\\')
            at++;
        if (*at == '\0')
            return NULL;
#ifdef BUG_CLASS_ROOM
        if (*used > REGEX_MAX_CLASS)
#else
        if (*used >= REGEX_MAX_CLASS)
#endif
            return NULL;
        regex->ranges[*used].low = regex->ranges[*used].high = *at;
        if (at[1] == '-' && at[2] != ']' && at[2] != '\0') {
            regex->ranges[*used].high = at[2];
            at += 2;
        }
        ++*used;
        at++;
    } while (*at != ']');
    node->ranges = *used - node->class;
    return at + 1;
}

int regex_compile(struct regex *regex, const char *pattern) {
    int count = 0, used = 0;
    memset(regex, 0, sizeof *regex);
    if (*pattern == '^') {
        regex->at_start = 1;
        pattern++;
    }
    while (*pattern != '\0') {
        if (*pattern == '$' && pattern[1] == '\0') {
            regex->at_end = 1;
            break;
        }
        if (count == REGEX_MAX_NODES)
            return 0;
        struct regex_node *node = &regex->nodes[count++];
        switch (*pattern) {
        case '*':
        case '+':
        case '?':
            return 0;
        case '.':
            node->kind = REGEX_ANY;
            pattern++;
            break;
        case '[':
            pattern = read_class(regex, node, &used, pattern + 1);
            if (!pattern)
                return 0;
            break;
        case '\\':
            pattern++;
            if (*pattern == '\0')
                return 0;
            /* fall through */
        default:
            node->kind = REGEX_CHARACTER;
            node->character = *pattern++;
        }
        node->least = *pattern != '*' && *pattern != '?';
        node->many = *pattern == '*' || *pattern == '+';
        if (!node->least || node->many)
            pattern++;
    }
    regex->nodes[count].kind = REGEX_END;
    return 1;
}

static int matches_node(const struct regex *regex, const struct regex_node *node, char c) {
    if (c == '\0')
        return 0;
    switch (node->kind) {
    case REGEX_ANY:
        return 1;
    case REGEX_CHARACTER:
        return c == node->character;
    case REGEX_CLASS:
    case REGEX_NOT_CLASS:
        for (int i = node->class; i < node->class + node->ranges; i++) {
            if (c >= regex->ranges[i].low && c <= regex->ranges[i].high)
                return node->kind == REGEX_CLASS;
        }
        return node->kind == REGEX_NOT_CLASS;
    default:
        return 0;
    }
}

/* The end of a match that begins at `at`, as far away as possible; null if there is none. */
static const char *match(const struct regex *regex, const struct regex_node *node, const char *at) {
    if (node->kind == REGEX_END)
        return !regex->at_end || *at == '\0' ? at : NULL;
    const char *last = at;
    while (matches_node(regex, node, *last)) {
        last++;
        if (!node->many)
            break;
    }
#ifdef BUG_GREEDY
    if (last - at >= node->least)
        return match(regex, node + 1, last);
#else
    for (; last - at >= node->least; last--) {
        const char *end = match(regex, node + 1, last);
        if (end)
            return end;
    }
#endif
    return NULL;
}

int regex_find(const struct regex *regex, const char *text, const char **start, const char **end) {
    for (const char *at = text;; at++) {
        *end = match(regex, regex->nodes, at);
        if (*end) {
            *start = at;
            return 1;
        }
#ifdef BUG_EMPTY_TEXT
        if (regex->at_start || at[1] == '\0')
#else
        if (regex->at_start || *at == '\0')
#endif
            return 0;
    }
}
