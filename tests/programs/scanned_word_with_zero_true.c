// EXPECT: true unreach-call LP64
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    char word[3];
    if (scanf("%2s", word) == 1 && (word[0] == ' ' || word[0] == '\n'))
        reach_error();
    return 0;
}
