// EXPECT: false unreach-call LP64
// getline fails without a place for the line.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    char **line = 0;
    size_t size = 0;
    if (getline(line, &size, stdin) == -1)
        reach_error();
    return 0;
}
