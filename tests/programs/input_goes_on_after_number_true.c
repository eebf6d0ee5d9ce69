// EXPECT: true unreach-call LP64 UNKNOWN-OK
// No digit comes after a number that scanf has read, and no blank after one that it has skipped: proofs do not know it, but no alarm is raised.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    int number;
    char next, word[4];
    switch (getchar()) {
    case 'a':
        if (scanf("%d%c", &number, &next) == 2 && next == '7')
            reach_error();
        break;
    case 'b':
        if (scanf("%d %c", &number, &next) == 2 && next == ' ')
            reach_error();
        break;
    case 'c':
        if (scanf("%x", (unsigned *)&number) == 1 && getchar() == 'f')
            reach_error();
        break;
    case 'd':
        if (scanf("%d", &number) == 0 && getchar() == '3')
            reach_error();
        break;
    case 'e':
        if (scanf("%3s", word) == 1 && word[1] == 0 && getchar() == 'w')
            reach_error();
    }
    return 0;
}
