// EXPECT: false unreach-call ILP32 UNKNOWN-OK
// Pointers into one of more blocks than a range of addresses holds are compared: none of these blocks is lost silently.
#include <stdlib.h>
extern void reach_error(void);

int main(void) {
    int is_before = 0;
    for (int i = 0; i < 1000; i++) {
        char *p = malloc(i % 7 + 1), *q = p + i % 7;
        if (q < p)
            is_before = 1;
        free(p);
    }
    if (!is_before)
        reach_error();
    return 0;
}
