// EXPECT: false unreach-call LP64
// INPUTS:
// NATIVE: no (depends on rand)
#include <stdlib.h>
#include <time.h>

extern void reach_error(void);

int main(void) {
    srand((unsigned)time(NULL));
    if (rand() % 6 == rand() % 6)
        reach_error();
    return 0;
}
