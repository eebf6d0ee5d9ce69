// EXPECT: false unreach-call LP64 UNKNOWN-OK
// More blocks of different sizes than the range of addresses of their allocation holds: none of them is lost silently.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void) {
    int is_odd = 0;
    for (int i = 0; i < 2000; i++)
        if ((uintptr_t)malloc(i + 1) % 16 != 0)
            is_odd = 1;
    if (!is_odd)
        reach_error();
    return 0;
}
