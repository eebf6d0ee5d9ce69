// EXPECT: false unreach-call LP64
// INPUTS:
// NATIVE: no (what the file holds)
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    FILE *f = fopen("file", "r");
    if (f == NULL)
        return 1;
    if (fgetc(f) == 'a')
        reach_error();
    fclose(f);
    return 0;
}
