// EXPECT: true unreach-call LP64
// A single character is there or not: the end is not looked for behind it, and what is not read keeps its value.
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    char text[6] = "abcde";
    int n = scanf("%c", text);
    if (n == 1 && feof(stdin))
        reach_error();
    if (!feof(stdin) && !ferror(stdin) && scanf("%5c", text) == 1 && text[5] != 0)
        reach_error();
    return 0;
}
