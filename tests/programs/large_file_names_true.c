// EXPECT: true unreach-call LP64
// Functions under the names that they have for large files and without locks.
#define _GNU_SOURCE
#define _LARGEFILE64_SOURCE
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    FILE *file = fopen64("f", "r");
    if (!file)
        return 0;
    int c = getc_unlocked(file);
    if (c < -1 || c > 255)
        reach_error();
    if (fseeko64(file, 0, SEEK_SET) == 0 && feof_unlocked(file))
        reach_error();
    fclose(file);
    return 0;
}
