// EXPECT: true unreach-call LP64
// ASSUMES: a pointer that is read from memory was stored there as a pointer, not as a number or as bytes
// The lowest byte of an address is cleared, in a copy of it.
#include <string.h>
extern void reach_error(void);
static char pool[512];
int main(void) {
    char *p = pool + 7;
    unsigned char bytes[sizeof p];
    memcpy(bytes, &p, sizeof p);
    bytes[0] = 0;
    memcpy(&p, bytes, sizeof p);
    if (p < pool)
        reach_error();
    return 0;
}
