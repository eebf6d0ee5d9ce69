// EXPECT: true unreach-call LP64 WITH strbuf.c
/* What is inserted stands at its place, and what was there before and behind it. */
#include "../check.h"
#include "strbuf.h"

int main(void) {
    struct strbuf buf;
    unsigned at = any_below(4);
    strbuf_init(&buf);
    if (!strbuf_add_text(&buf, "abc") || !strbuf_insert(&buf, at, "xy"))
        return 0;
    check(buf.length == 5 && buf.text[5] == '\0');
    check(buf.text[at] == 'x' && buf.text[at + 1] == 'y');
    for (unsigned i = 0; i < 3; i++)
        check(buf.text[i < at ? i : i + 2] == "abc"[i]);
    strbuf_free(&buf);
    return 0;
}
