// EXPECT: true unreach-call LP64
#include <string.h>
extern void reach_error(void);
int main(void) {
    char text[] = "a b", *rest;
    char *first = strtok_r(text, " ", &rest), *second = strtok_r(NULL, " ", &rest);
    if (*first != 'a' || *second != 'b' || strtok_r(NULL, " ", &rest) != NULL)
        reach_error();
    return 0;
}
