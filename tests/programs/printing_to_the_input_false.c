// EXPECT: false unreach-call LP64 UNKNOWN-OK
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    fputc('x', stdin);
    if (ferror(stdin))
        reach_error();
    return 0;
}
