// EXPECT: true unreach-call LP64 WITH strbuf.c
/* Pieces of any lengths: the text has their total length, ends with a null character, and keeps what was there. */
#include "../check.h"
#include "strbuf.h"

int main(void) {
    static const char letters[] = "abcd";
    struct strbuf buf;
    size_t total = 0;
    strbuf_init(&buf);
    strbuf_add_char(&buf, 'x');
    for (int i = 0; i < 2; i++) {
        unsigned length = any_below(5);
        if (!strbuf_add(&buf, letters, length))
            return 0;
        total += length;
        check(buf.length == 1 + total && buf.length < buf.room);
        check(buf.text[buf.length] == '\0' && buf.text[0] == 'x');
        check(length == 0 || buf.text[buf.length - 1] == letters[length - 1]);
    }
    strbuf_free(&buf);
    return 0;
}
