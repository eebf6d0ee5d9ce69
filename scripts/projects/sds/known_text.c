// EXPECT: true
// FILES: sds.c
// OPTIONS: -I.
/* Known operations. */
#include "sds.h"
#include <string.h>
extern void reach_error(void);

int main(void) {
    sds s = sdsnew("  hello");
    s = sdscat(s, " world  ");
    s = sdstrim(s, " ");
    if (sdslen(s) != 11 || strcmp(s, "hello world") != 0)
        reach_error();
    sdsrange(s, -5, -1);
    sdstoupper(s);
    if (strcmp(s, "WORLD") != 0)
        reach_error();
    sdsfree(s);
    return 0;
}
