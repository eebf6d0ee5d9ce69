// EXPECT: true unreach-call LP64
// ASSUMES: with whose address the program computes, lies between 0x1000 and 0x800000000000
// ASSUMES: addresses of local variables are not compared after the lifetime of the variable
// ASSUMES: with whose address the program computes, lies at the same address in each call
#include <stdint.h>
extern void reach_error(void);
static uintptr_t where(void) {
    int x;
    return (uintptr_t)&x;
}
static uintptr_t deeper(void) {
    int more[4] = {0};
    return where() + more[3];
}
int main(void) {
    if (where() / 2 != deeper() / 2)
        reach_error();
    return 0;
}
