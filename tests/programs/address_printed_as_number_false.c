// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (the file)
// An address is printed to a file as a decimal number, and read again.
#include <stdio.h>
extern void reach_error(void);
static int x;

int main(void) {
    FILE *f = tmpfile();
    if (!f)
        return 0;
    fprintf(f, "%lu\n", (unsigned long)&x + 4);
    rewind(f);
    unsigned long n;
    if (fscanf(f, "%lu", &n) != 1)
        return 0;
    x = 1;
    *(int *)(n - 4) = 2;
    if (x != 1)
        reach_error();
    return 0;
}
