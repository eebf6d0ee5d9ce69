// EXPECT: false unreach-call LP64
// Twenty blocks of different sizes, with whose addresses the program computes: more than its ranges of addresses were once thought to hold.
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);

int main(void) {
    int is_odd = 0;
    for (int i = 0; i < 20; i++)
        if ((uintptr_t)malloc(i + 1) % 16 != 0)
            is_odd = 1;
    if (!is_odd)
        reach_error();
    return 0;
}
