// EXPECT: true unreach-call LP64
#include <string.h>
extern void reach_error(void);
int main(void) {
    char a[16] = "abcdefghijklmno", b[16];
    memcpy(b, a, 16);
    memcpy(a + 8, a, 8);
    memmove(a + 1, a, 8);
    if (b[3] != 'd' || a[1] != 'a' || a[8] != 'h')
        reach_error();
    return 0;
}
