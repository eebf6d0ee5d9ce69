// EXPECT: false unreach-call LP64
// Numbers and words come from standard input as text.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    int number;
    unsigned mask;
    double height;
    char name[4], unit;
    if (scanf("%d %3s %lf%c", &number, name, &height, &unit) != 4 || number != -12 || name[0] != 'a' || height != 1.5)
        return 0;
    if (unit == 'm' && scanf(":%x", &mask) == 1 && mask == 0xf0)
        reach_error();
    return 0;
}
