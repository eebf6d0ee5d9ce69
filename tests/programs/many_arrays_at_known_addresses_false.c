// EXPECT: false unreach-call LP64 UNKNOWN-OK
// More arrays of different sizes on the stack, one after the other, than a range of addresses holds: none of them is lost silently.
#include <stdint.h>
extern void reach_error(void);

int main(void) {
    int odd = 0;
    for (int i = 0; i < 400; i++) {
        char array[i % 5 + 1];
        if ((uintptr_t)array % 16)
            odd++;
    }
    reach_error();
    return odd;
}
