// EXPECT: false unreach-call LP64
// NATIVE: no (what the environment holds)
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    int c, n = 0;
    while ((c = getchar()) != EOF)
        n++;
    char line[4];
    if (n == 2 && ferror(stdin) && fgets(line, 4, stdin))
        reach_error();
    return 0;
}
