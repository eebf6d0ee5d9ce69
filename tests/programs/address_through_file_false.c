// EXPECT: false unreach-call LP64 UNKNOWN-OK
// A pointer that was written to a file comes back.
#include <stdio.h>
extern void reach_error(void);
static int x = 1;

int main(void) {
    FILE *f = tmpfile();
    int *p = &x, *q = 0;
    fwrite(&p, sizeof p, 1, f);
    rewind(f);
    if (fread(&q, sizeof q, 1, f) == 1 && q)
        *q = 5;
    if (x != 1)
        reach_error();
    return 0;
}
