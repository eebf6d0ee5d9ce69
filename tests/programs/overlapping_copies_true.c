// EXPECT: true unreach-call LP64 UNKNOWN-OK
// Every way to the error copies between ranges that overlap, all of whose bytes are variables to kerf. No alarm may rest on that.
#include <stdio.h>
#include <string.h>
void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct four {
    int a[4];
};
static union {
    struct four first;
    struct {
        int pad;
        struct four second;
    } later;
} both;
static int numbers[4] = {1, 2, 3, 4};
int main(void) {
    char text[9] = "abc";
    switch (__VERIFIER_nondet_int()) {
    case 0:
        memcpy(numbers, numbers + 1, 12);
        if (numbers[0] == 2)
            reach_error();
        break;
    case 1:
        both.later.second.a[0] = 3;
        both.first = both.later.second;
        if (both.first.a[0] == 3)
            reach_error();
        break;
    case 2:
        if (sprintf(text, "%sx", text) == 4 && text[3] == 'x')
            reach_error();
        break;
    case 3:
        if (snprintf(text, 9, "z%s", text) > 0 && text[0] == 'z')
            reach_error();
        break;
    }
    return 0;
}
