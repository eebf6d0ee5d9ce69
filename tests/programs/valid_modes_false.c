// EXPECT: false unreach-call LP64
#include <stdio.h>
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
    FILE *f = fopen("/dev/null", "rb");
    if (f && fseek(f, 0, SEEK_END) == 0 && setvbuf(f, NULL, _IONBF, 0) == 0 && unsetenv("A") == 0)
        reach_error();
    return 0;
}
