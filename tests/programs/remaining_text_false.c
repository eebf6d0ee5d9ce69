// EXPECT: false unreach-call LP64 UNKNOWN-OK
// What strtok_r stores when nothing is left is up to the library.
#include <string.h>
extern void reach_error(void);
int main(void) {
    char text[] = "a", *rest;
    strtok_r(text, " ", &rest);
    if (rest == NULL)
        reach_error();
    return 0;
}
