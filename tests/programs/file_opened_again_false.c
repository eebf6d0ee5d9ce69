// EXPECT: false unreach-call LP64
// What a stream is read from may have no end after it was opened again.
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    while (getchar() != EOF)
        ;
    if (!feof(stdin))
        return 0;
    if (freopen("other", "r", stdin) == stdin && !feof(stdin))
        reach_error();
    return 0;
}
