// EXPECT: false unreach-call LP64
// NATIVE: no (what the input holds)
// The bytes of an address are written, and may come back.
#include <unistd.h>
extern void reach_error(void);
static int x = 1;
int main(void) {
    int *p = &x, *q;
    write(1, &p, sizeof p);
    if (read(0, &q, sizeof q) == sizeof q && q == p)
        reach_error();
    return 0;
}
