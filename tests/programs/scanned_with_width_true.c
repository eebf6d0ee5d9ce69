// EXPECT: true unreach-call LP64
#include <stdio.h>

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int begin = 7;
    scanf("%n", &begin);
    check(begin == 0);
    char c, word[10];
    check(scanf("%c", &c) != 0);
    check(scanf("%9s", word) != 0);
    unsigned hexadecimal = 0, digit = 0;
    short two = 0;
    if (scanf("%1x%1u%2hd", &hexadecimal, &digit, &two) == 3)
        check(hexadecimal < 16 && digit < 10 && two < 100 && two > -10);
    return 0;
}
