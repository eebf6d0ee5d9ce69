// EXPECT: false unreach-call LP64
// INPUTS:
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
