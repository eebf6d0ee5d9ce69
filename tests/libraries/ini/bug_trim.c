// EXPECT: false unreach-call LP64
// INPUTS: 32 32
/* Trimming a line of blanks goes on before its start. */
#define BUG_TRIM
#include "ini.c"

#include "../check.h"

int main(void) {
    char text[4] = "\n";
    any_text(text + 1, 2);
    struct span s = trim((struct span){text + 1, text + 3});
    check(s.start <= s.end);
    return 0;
}
