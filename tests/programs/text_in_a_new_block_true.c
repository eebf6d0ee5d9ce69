// EXPECT: true unreach-call LP64
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    char *text;
    int x = __VERIFIER_nondet_int() & 15;
    int n = asprintf(&text, "%s=%d", "x", x);
    if (n != (x < 10 ? 3 : 4) || strlen(text) != (size_t)n || strncmp(text, "x=", 2))
        reach_error();
    free(text);
    return 0;
}
