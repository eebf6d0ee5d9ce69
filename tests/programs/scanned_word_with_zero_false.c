// EXPECT: false unreach-call LP64
// INPUTS:
#include <stdio.h>

extern void reach_error(void);

/* A 0 is no space. */
int main(void) {
    char word[8];
    if (scanf("%7s", word) == 1 && word[0] == 0)
        reach_error();
    return 0;
}
