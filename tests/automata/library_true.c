// EXPECT: true library.spc LP64
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *p = malloc(100), *q = calloc(10, 50);
    strcpy(q, "x");
    free(p);
    free(NULL);
    return q[0] - 'x';
}
