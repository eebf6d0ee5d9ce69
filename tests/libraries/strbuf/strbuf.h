/* A text that grows. It always ends with a null character, which does not count. */
#ifndef STRBUF_H
#define STRBUF_H

#include <stddef.h>

struct strbuf {
    char *text;
    size_t length;
    size_t room; /* bytes of `text`; 0 if it is the empty text that nobody allocated */
};

void strbuf_init(struct strbuf *buf);
void strbuf_free(struct strbuf *buf);

/* Gives the text away, which the caller frees; the buffer is empty then. Null if there is no memory. */
char *strbuf_detach(struct strbuf *buf);

/* Return 0 if there is no memory; the text is as before. */
int strbuf_add(struct strbuf *buf, const char *text, size_t length);
int strbuf_add_text(struct strbuf *buf, const char *text);
int strbuf_add_char(struct strbuf *buf, char c);
int strbuf_add_number(struct strbuf *buf, long number);

/* Puts a text at the place `at`, which is within the buffer's text or at its end. */
int strbuf_insert(struct strbuf *buf, size_t at, const char *text);

/* Cuts off blanks at both ends. */
void strbuf_trim(struct strbuf *buf);

#endif
