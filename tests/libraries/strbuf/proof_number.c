// EXPECT: true unreach-call LP64 WITH strbuf.c
/* A number reads as it was written. */
#include "../check.h"
#include "strbuf.h"

int main(void) {
    struct strbuf buf;
    int number = (int)any_below(200) - 100;
    strbuf_init(&buf);
    if (!strbuf_add_number(&buf, number))
        return 0;
    int read = 0, negative = buf.text[0] == '-';
    for (const char *at = buf.text + negative; *at; at++)
        read = 10 * read + (*at - '0');
    check((negative ? -read : read) == number);
    check(buf.length <= 4);
    strbuf_free(&buf);
    return 0;
}
