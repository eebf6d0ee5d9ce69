// EXPECT: true unreach-call LP64 UNKNOWN-OK
// ISO C leaves open what is read from a stream that is only for writing; POSIX makes it an error, so no alarm rests on it.
#include <stdio.h>
extern void reach_error(void);
int main(void) {
    FILE *file = fopen("out", "w");
    if (file != NULL && fgetc(file) == 'a')
        reach_error();
    return 0;
}
