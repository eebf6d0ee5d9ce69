// EXPECT: true unreach-call LP64 UNKNOWN-OK
// Nothing of the next line is read with a line: proofs do not know it, but no alarm is raised.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char line[8] = "";
    if (!fgets(line, sizeof line, stdin))
        return 0;
    if (line[0] == '\n' && line[1] != 0)
        reach_error();
    return 0;
}
