// EXPECT: true unreach-call LP64 UNKNOWN-OK
// A temporary file has what the program has written there: what is read is the address, or nothing.
#include <stdio.h>
extern void reach_error(void);
static int x = 1;
struct entry {
    int key;
    int *value;
};
int main(void) {
    struct entry s = {3, &x}, t = {0, 0};
    FILE *f = tmpfile();
    if (!f)
        return 0;
    fwrite(&s, sizeof s, 1, f);
    rewind(f);
    if (fread(&t, sizeof t, 1, f) == 1 && t.value == 0)
        reach_error();
    return 0;
}
