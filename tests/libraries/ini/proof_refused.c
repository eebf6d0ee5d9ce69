// EXPECT: true unreach-call LP64 WITH ini.c
/* The line of the entry that the handler refuses first is reported. */
#include "../check.h"
#include "ini.h"

static unsigned entries, refused;

static int handle(void *user, const char *section, const char *name, const char *value) {
    return entries++ != refused;
}

int main(void) {
    static const char text[] = "a=1\nb=2\nc=3";
    refused = any_below(5);
    int wrong = ini_parse(text, sizeof text - 1, handle, 0);
    check(entries == 3);
    check(refused < 3 ? wrong == (int)refused + 1 : wrong == 0);
    return 0;
}
