// EXPECT: false unreach-call LP64
// NATIVE: no (what the environment holds)
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    unsigned hexadecimal = 0, digit = 0;
    short two = 0;
    if (scanf("%1x%1u%2hd", &hexadecimal, &digit, &two) == 3 && hexadecimal == 15 && digit == 9 && two == -9)
        if (scanf("%hd", &two) == 0)
            reach_error();
    return 0;
}
