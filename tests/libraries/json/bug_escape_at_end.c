// EXPECT: false unreach-call LP64
// INPUTS: 34 97 92 0 34
/* The end of the text is taken for an escape, too, and the text is read on. */
#define BUG_ESCAPE_AT_END
#include "json.c"

#include "../check.h"

/* Three characters, and what happens to lie behind their end. */
int main(void) {
    char memory[6];
    const char *end = 0;
    any_text(memory, 5);
    memory[3] = '\0';
    json_free(json_parse(memory, &end));
    check(end - memory <= 3);
    return 0;
}
