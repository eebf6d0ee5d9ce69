// EXPECT: true unreach-call LP64 WITH strbuf.c
/* Trimming leaves no blank at either end, and is complete at once. */
#include "../check.h"
#include "strbuf.h"
#include <string.h>

int main(void) {
    struct strbuf buf;
    char text[4];
    any_text(text, 3);
    strbuf_init(&buf);
    if (!strbuf_add_text(&buf, text))
        return 0;
    strbuf_trim(&buf);
    check(buf.length == strlen(buf.text));
    check(buf.text[0] != ' ' && (buf.length == 0 || buf.text[buf.length - 1] != '\n'));
    size_t length = buf.length;
    strbuf_trim(&buf);
    check(buf.length == length);
    strbuf_free(&buf);
    return 0;
}
