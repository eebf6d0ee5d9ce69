// EXPECT: false unreach-call LP64
// INPUTS:
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    int n;
    char text[4];
    if (sscanf("ab", "%3c", text) == 1 && sscanf("5", "%*d %d", &n) == EOF)
        reach_error();
    return 0;
}
