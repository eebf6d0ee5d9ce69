// EXPECT: false unreach-call LP64
// What follows a number, a word or blanks is what scanf has left.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    int number;
    unsigned small;
    char unit, next, word[4];
    if (scanf("%d%c %2x%c", &number, &unit, &small, &next) != 4 || number != -30 || unit != 'k' || small != 0x2a)
        return 0;
    if (next == 'b' && scanf("%3s = %c", word, &next) == 2 && word[0] == 'v' && word[1] == 0 && next == '9')
        reach_error();
    return 0;
}
