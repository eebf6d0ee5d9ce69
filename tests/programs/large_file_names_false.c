// EXPECT: false unreach-call LP64
// As in large_file_names_true.c, but the file may be empty.
#define _GNU_SOURCE
#define _LARGEFILE64_SOURCE
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    FILE *file = fopen64("f", "r");
    if (!file)
        return 0;
    int c = getc_unlocked(file);
    if (c < 0 || c > 255)
        reach_error();
    if (fseeko64(file, 0, SEEK_SET) == 0 && feof_unlocked(file))
        reach_error();
    fclose(file);
    return 0;
}
