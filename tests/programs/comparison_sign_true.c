// EXPECT: true unreach-call LP64
#include <ctype.h>
#include <stdio.h>
#include <string.h>

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

/* What the standard promises, and nothing more. */
int main(void) {
    int n;
    char text[4];
    check(strcmp("b", "a") > 0 && strcmp("a", "b") < 0 && strcmp("a", "a") == 0);
    check(memcmp("b", "a", 1) > 0 && strncmp("ax", "ay", 1) == 0);
    check(sscanf("12 ab", "%d %2c", &n, text) == 2 && n == 12 && text[1] == 'b');
    check(snprintf(text, sizeof text, "%6000f", 1.0) >= 6000);
    return 0;
}
