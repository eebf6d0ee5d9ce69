// EXPECT: true unreach-call LP64 WITH strbuf.c
/* A text that is put together from pieces. */
#include "../check.h"
#include "strbuf.h"
#include <stdlib.h>
#include <string.h>

int main(void) {
    struct strbuf buf;
    strbuf_init(&buf);
    if (!strbuf_add_text(&buf, " b = ") || !strbuf_add_number(&buf, -120) || !strbuf_add_char(&buf, '\n') ||
        !strbuf_insert(&buf, 1, "a."))
        return 0;
    check(buf.length == 12 && strcmp(buf.text, " a.b = -120\n") == 0);
    strbuf_trim(&buf);
    char *text = strbuf_detach(&buf);
    check(text && strcmp(text, "a.b = -120") == 0);
    free(text);
    check(buf.length == 0 && buf.text[0] == '\0');
    return 0;
}
