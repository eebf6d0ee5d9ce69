// EXPECT: false unreach-call LP64
// INPUTS:
#include <stdlib.h>

extern void reach_error(void);

int main(void) {
    if (getenv("FIRST") != NULL && getenv("SECOND") == NULL)
        reach_error();
    return 0;
}
