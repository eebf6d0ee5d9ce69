// EXPECT: false unreach-call LP64
// Whether a temporary file is written and read or not, the end is reached.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    int n = 3;
    FILE *f = tmpfile();
    if (f) {
        fwrite(&n, sizeof n, 1, f);
        rewind(f);
    }
    if (n == 3)
        reach_error();
    return 0;
}
