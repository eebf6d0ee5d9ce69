// EXPECT: true unreach-call LP64
// A line fits in its buffer, with the null byte behind it.
#include <stdio.h>
#include <string.h>
extern void reach_error(void);
int main(void) {
    char line[8];
    if (!fgets(line, sizeof line, stdin))
        return 0;
    if (strlen(line) > 7)
        reach_error();
    return 0;
}
