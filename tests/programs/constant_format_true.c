// EXPECT: true unreach-call LP64
// Formats that are constants are read when the program is translated: what they print is exact.
#include <stdio.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    char text[40];
    int x = __VERIFIER_nondet_int();
    if (x < -99 || x > 99)
        return 0;
    int n = snprintf(text, sizeof text, "[%4d|%-3s|%c%%%05x] %.*s", x, "ab", 'z', 0xabcu, 2, "hello");
    if (n != 21 || strlen(text) != 21 || strcmp(text + 5, "|ab |z%00abc] he"))
        reach_error();
    if (x < 0 && text[2] != '-' && text[3] != '-')
        reach_error();
    // What does not fit is counted.
    if (snprintf(text, 4, "%hhd%s", 256 + 12, "345") != 5 || strcmp(text, "123"))
        reach_error();
    return 0;
}
