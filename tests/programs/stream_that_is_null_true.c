// EXPECT: true unreach-call LP64
// Nothing comes after the use of a stream that is not there.
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    FILE *f = fopen("file", "r");
    fgetc(f);
    if (f == NULL)
        reach_error();
    return 0;
}
