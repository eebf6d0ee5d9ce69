// EXPECT: false unreach-call LP64
// Of three blocks of one place, one is neither the first nor the last: one of these cases is possible.
#include <stdlib.h>

extern void reach_error(void);

int main(void) {
    char *all[3];
    for (int i = 0; i < 3; i++) {
        all[i] = malloc(8);
        if (!all[i])
            return 0;
    }
    char *a = all[0], *b = all[1], *c = all[2];
    if ((a < b && b < c) || (c < b && b < a))
        reach_error();
    return 0;
}
