// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (what the input does)
// A stream that does not wait gives what it has, with an error; no alarm rests on that.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char line[8];
    if (fgets(line, sizeof line, stdin) && ferror(stdin))
        reach_error();
    return 0;
}
