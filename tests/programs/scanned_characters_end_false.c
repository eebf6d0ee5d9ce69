// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (the input is given to functions, not in a file)
// At the end of the input, glibc stores fewer characters than "%5c" asks for, counts them as converted, and has seen the end.
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    char text[6] = "abcde";
    if (scanf("%5c", text) == 1 && feof(stdin) && text[4] == 'e')
        reach_error();
    return 0;
}
