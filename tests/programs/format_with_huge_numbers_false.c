// EXPECT: false unreach-call LP64
#include <errno.h>
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    char text[8];
    int wide = snprintf(text, sizeof text, "%4294967297d", 5);
    if (wide == -1 && errno == EOVERFLOW && snprintf(text, sizeof text, "%.4294967297d", 5) == -1)
        reach_error();
    return 0;
}
