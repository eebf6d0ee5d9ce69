// EXPECT: true unreach-call LP64
#include <string.h>

extern void reach_error(void);

int main(void) {
    char to[4] = "xxx";
    if (strxfrm(to, "abcdef", 3) != 6 || to[3] != 0 || strxfrm(to, "ab", 3) != 2 || strcmp(to, "ab") != 0)
        reach_error();
    return 0;
}
