// EXPECT: true unreach-call LP64 UNKNOWN-OK
// What is written to memory from outside stays there: no alarm rests on another value.
#include <string.h>
extern void reach_error(void);
extern char *buffer(void);
extern int *number(void);
int main(void) {
    char *b = buffer();
    int *n = number();
    if (!b || !n)
        return 0;
    *n = 3;
    if (*n != 3)
        reach_error();
    strcpy(b, "hi");
    if (b[0] != 'h')
        reach_error();
    return 0;
}
