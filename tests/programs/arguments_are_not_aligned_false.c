// EXPECT: false unreach-call LP64
// NATIVE: no (where the text of the name lies is not ours to choose)
#include <stdint.h>
extern void reach_error(void);
int main(int argc, char **argv) {
    if ((uintptr_t)argv[0] & 1)
        reach_error();
    return 0;
}
