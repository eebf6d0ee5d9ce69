// EXPECT: true unreach-call LP64
// ASSUMES: memory allocation (malloc, new, ...) never fails, also not for 0 bytes
// ASSUMES: free and realloc are given only null or blocks of the heap, and each block only once
// ASSUMES: each memory access is valid: within the bounds of a live object from whose address its pointer was computed
// ASSUMES: no stream is opened where stdin, stdout or stderr lay before it was closed
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    fclose(stdin);
    FILE *file = fopen("data", "w");
    if (file == stdin)
        reach_error();
    return 0;
}
