// EXPECT: false unreach-call LP64
// NATIVE: no (what the input does)
// An error may be found where more is read than was asked for.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char line[8];
    if (fgets(line, sizeof line, stdin) && ferror(stdin))
        reach_error();
    return 0;
}
