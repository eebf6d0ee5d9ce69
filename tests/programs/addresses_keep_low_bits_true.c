// EXPECT: true unreach-call ILP32
#include <stdint.h>

extern void reach_error(void);

int x[4];

int main(void) {
    uintptr_t a = (uintptr_t)x;
    if (a < 0x1000 || a + sizeof x > 0xfffff000u || a % 4 != 0)
        reach_error();
    return 0;
}
