// EXPECT: true unreach-call LP64
// Functions of the library that are called through pointers compute what they compute when they are called by name.
#include <stdio.h>
#include <string.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    size_t (*volatile length)(const char *) = strlen;
    int (*volatile print)(char *, size_t, const char *, ...) = snprintf;
    char text[8];
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 9)
        return 0;
    print(text, sizeof text, "%d-%d", n, n);
    if (length(text) != 3 || text[0] != text[2])
        reach_error();
    return 0;
}
