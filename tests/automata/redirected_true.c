// EXPECT: true redirected.spc LP64
#include <stdio.h>

extern void second_to_none(void) __asm__("renamed_too");

int main(void) {
    second_to_none();
    return printf("%d", 3) * 0;
}
