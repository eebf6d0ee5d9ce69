// EXPECT: true unreach-call LP64
#include <stdlib.h>

extern void reach_error(void);
extern long __isoc23_strtol(const char *, char **, int);

int main(void) {
    char *end, text[] = "0b2";
    if (__isoc23_strtol(text, &end, 0) != 0 || end != text + 1)
        reach_error();
    if (__isoc23_strtol("0b1", 0, 16) != 0xb1)
        reach_error();
    return 0;
}
