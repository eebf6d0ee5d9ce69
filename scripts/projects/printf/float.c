// EXPECT: true
// FILES: printf.c
// OPTIONS: -I.
/* A float of the two digits that one expects. */
#include "printf.h"
#include <string.h>
extern void reach_error(void);
void _putchar(char character) {}

int main(void) {
    char text[16];
    if (snprintf(text, sizeof text, "%.2f", 3.14159) != 4 || strcmp(text, "3.14") != 0)
        reach_error();
    return 0;
}
