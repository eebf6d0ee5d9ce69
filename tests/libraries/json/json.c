#include "json.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const char *at;
    int depth;
};

static struct json *read_value(struct reader *r);

static void skip_blanks(struct reader *r) {
    while (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r')
        r->at++;
}

static struct json *new_json(enum json_kind kind) {
    struct json *json = calloc(1, sizeof *json);
    if (json)
        json->kind = kind;
    return json;
}

static struct json *read_word(struct reader *r, const char *word, enum json_kind kind) {
    size_t length = strlen(word);
    if (strncmp(r->at, word, length) != 0)
        return NULL;
    r->at += length;
    return new_json(kind);
}

static int is_digit(char c) { return c >= '0' && c <= '9'; }

static struct json *read_number(struct reader *r) {
    int negative = *r->at == '-';
    long number = 0;
    if (negative)
        r->at++;
#ifndef BUG_LONE_MINUS
    if (!is_digit(*r->at))
        return NULL;
#endif
    for (; is_digit(*r->at); r->at++) {
        int digit = *r->at - '0';
        number = number > (LONG_MAX - digit) / 10 ? LONG_MAX : number * 10 + digit;
    }
    if (*r->at == '.') {
        r->at++;
        if (!is_digit(*r->at))
            return NULL;
        while (is_digit(*r->at))
            r->at++;
    }
    if (*r->at == 'e' || *r->at == 'E') {
        r->at++;
        if (*r->at == '+' || *r->at == '-')
            r->at++;
        if (!is_digit(*r->at))
            return NULL;
        while (is_digit(*r->at))
            r->at++;
    }
    struct json *json = new_json(JSON_NUMBER);
    if (json)
        json->number = negative ? -number : number;
    return json;
}

/* The character that an escape stands for; 0 if there is none such. */
static char unescape(char c) {
    switch (c) {
    case '"':
    case '\\':
    case '/':
        return c;
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default:
        return '\0';
    }
}

/* Reads what stands in quotes. */
static char *read_quoted(struct reader *r) {
    const char *start = ++r->at;
    size_t length = 0;
    for (; *r->at != '"'; r->at++, length++) {
        if (*r->at == '\0')
            return NULL;
        if (*r->at == '\\') {
            r->at++;
#ifndef BUG_ESCAPE_AT_END
            if (!unescape(*r->at))
                return NULL;
#endif
        }
    }
    char *copy = malloc(length + 1);
    if (!copy)
        return NULL;
    for (size_t i = 0; i < length; i++) {
        if (*start == '\\')
            copy[i] = unescape(*++start);
        else
            copy[i] = *start;
        start++;
    }
    copy[length] = '\0';
    r->at++;
    return copy;
}

static struct json *read_string(struct reader *r) {
    char *string = read_quoted(r);
    struct json *json = string ? new_json(JSON_STRING) : NULL;
    if (json)
        json->string = string;
    else
        free(string);
    return json;
}

/* Reads an element with its key, if it has one. */
static struct json *read_element(struct reader *r, enum json_kind of) {
    char *key = NULL;
    skip_blanks(r);
    if (of == JSON_OBJECT) {
        if (*r->at != '"')
            return NULL;
        key = read_quoted(r);
        if (!key)
            return NULL;
        skip_blanks(r);
        if (*r->at != ':') {
            free(key);
            return NULL;
        }
        r->at++;
    }
    struct json *element = read_value(r);
    if (element)
        element->key = key;
    else
        free(key);
    return element;
}

static struct json *read_elements(struct reader *r, enum json_kind kind, char close) {
    struct json *json = new_json(kind);
    if (!json)
        return NULL;
    struct json **last = &json->child;
    r->at++;
    skip_blanks(r);
    if (*r->at == close) {
        r->at++;
        return json;
    }
    for (;;) {
        *last = read_element(r, kind);
        if (!*last)
            break;
        last = &(*last)->next;
        skip_blanks(r);
        char c = *r->at;
        if (c != ',' && c != close)
            break;
        r->at++;
        if (c == close)
            return json;
#ifdef BUG_COMMA_AT_END
        if (*r->at == close) {
            r->at++;
            return json;
        }
#endif
    }
    json_free(json);
    return NULL;
}

static struct json *read_value(struct reader *r) {
    struct json *json;
    skip_blanks(r);
    if (r->depth >= JSON_MAX_DEPTH)
        return NULL;
    r->depth++;
    switch (*r->at) {
    case '[':
        json = read_elements(r, JSON_ARRAY, ']');
        break;
    case '{':
        json = read_elements(r, JSON_OBJECT, '}');
        break;
    case '"':
        json = read_string(r);
        break;
    case 'n':
        json = read_word(r, "null", JSON_NULL);
        break;
    case 't':
        json = read_word(r, "true", JSON_TRUE);
        break;
    case 'f':
        json = read_word(r, "false", JSON_FALSE);
        break;
    default:
        json = read_number(r);
    }
    r->depth--;
    return json;
}

struct json *json_parse(const char *text, const char **end) {
    struct reader r = {text, 0};
    struct json *json = read_value(&r);
    if (json) {
        skip_blanks(&r);
        if (*r.at != '\0') {
            json_free(json);
            json = NULL;
        }
    }
    if (end)
        *end = r.at;
    return json;
}

void json_free(struct json *json) {
    while (json) {
        struct json *next = json->next;
        json_free(json->child);
        free(json->key);
        free(json->string);
        free(json);
        json = next;
    }
}

size_t json_size(const struct json *json) {
    size_t size = 0;
    for (const struct json *element = json->child; element; element = element->next)
        size++;
    return size;
}

const struct json *json_at(const struct json *json, size_t index) {
    const struct json *element = json->child;
    while (element && index-- > 0)
        element = element->next;
    return element;
}

const struct json *json_get(const struct json *json, const char *key) {
    const struct json *element = json->child;
    while (element && (!element->key || strcmp(element->key, key) != 0))
        element = element->next;
    return element;
}
