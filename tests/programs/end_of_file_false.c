// EXPECT: false unreach-call LP64
// INPUTS:
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    if (getchar() == EOF && feof(stdin))
        reach_error();
    return 0;
}
