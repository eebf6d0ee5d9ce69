// EXPECT: false unreach-call LP64 UNKNOWN-OK
// INPUTS:
#include <string.h>
#include <time.h>

extern void reach_error(void);

int main(void) {
    time_t t = 1000000000000L;
    char *text = ctime(&t);
    if (text != NULL && strlen(text) > 25)
        reach_error();
    return 0;
}
