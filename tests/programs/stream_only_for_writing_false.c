// EXPECT: false unreach-call LP64
// INPUTS:
// A stream that is only for writing takes characters, and gives none.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    FILE *file = fopen("/dev/null", "w");
    if (file != NULL && fputc('a', file) == 'a' && fgetc(file) == EOF && ferror(file))
        reach_error();
    return 0;
}
