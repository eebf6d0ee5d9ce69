// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (where the texts lie is up to the C library)
#include <string.h>
extern void reach_error(void);
int main(void) {
    if (strerror(2) - strerror(1) == 24)
        reach_error();
    return 0;
}
