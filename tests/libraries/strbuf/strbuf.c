#include "strbuf.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static char empty[1];

void strbuf_init(struct strbuf *buf) {
    buf->text = empty;
    buf->length = buf->room = 0;
}

void strbuf_free(struct strbuf *buf) {
    if (buf->room > 0)
        free(buf->text);
    strbuf_init(buf);
}

/* Makes room for `more` characters and the null character. */
static int grow(struct strbuf *buf, size_t more) {
#ifdef BUG_NO_NULL
    if (buf->length + more <= buf->room)
        return 1;
#else
    if (more > SIZE_MAX - 1 - buf->length)
        return 0;
    if (buf->length + more + 1 <= buf->room)
        return 1;
#endif
    size_t needed = buf->length + more + 1, room = buf->room + buf->room / 2;
    if (room < needed)
        room = needed;
    char *text = realloc(buf->room > 0 ? buf->text : NULL, room);
    if (!text)
        return 0;
    if (buf->room == 0)
        text[0] = '\0';
    buf->text = text;
    buf->room = room;
    return 1;
}

char *strbuf_detach(struct strbuf *buf) {
    if (!grow(buf, 0))
        return NULL;
    char *text = buf->text;
    strbuf_init(buf);
    return text;
}

int strbuf_add(struct strbuf *buf, const char *text, size_t length) {
    if (!grow(buf, length))
        return 0;
    memcpy(buf->text + buf->length, text, length);
    buf->length += length;
    buf->text[buf->length] = '\0';
    return 1;
}

int strbuf_add_text(struct strbuf *buf, const char *text) { return strbuf_add(buf, text, strlen(text)); }

int strbuf_add_char(struct strbuf *buf, char c) { return strbuf_add(buf, &c, 1); }

int strbuf_add_number(struct strbuf *buf, long number) {
    char digits[24];
    char *at = digits + sizeof digits;
    unsigned long rest = number < 0 ? -(unsigned long)number : (unsigned long)number;
    do {
        *--at = '0' + rest % 10;
        rest /= 10;
    } while (rest > 0);
    if (number < 0)
        *--at = '-';
    return strbuf_add(buf, at, digits + sizeof digits - at);
}

int strbuf_insert(struct strbuf *buf, size_t at, const char *text) {
    size_t length = strlen(text);
    if (!grow(buf, length))
        return 0;
#ifdef BUG_INSERT
    memmove(buf->text + at + length, buf->text + at, buf->length - at);
#else
    memmove(buf->text + at + length, buf->text + at, buf->length - at + 1);
#endif
    memcpy(buf->text + at, text, length);
    buf->length += length;
    return 1;
}

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

void strbuf_trim(struct strbuf *buf) {
    size_t start = 0, end = buf->length;
    while (start < end && is_blank(buf->text[start]))
        start++;
    while (end > start && is_blank(buf->text[end - 1]))
        end--;
    if (buf->room == 0)
        return;
    memmove(buf->text, buf->text + start, end - start);
#ifdef BUG_TRIM
    buf->length = end;
#else
    buf->length = end - start;
#endif
    buf->text[buf->length] = '\0';
}
