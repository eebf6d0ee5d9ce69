// EXPECT: false unreach-call LP64 UNKNOWN-OK
// INPUTS:
#include <time.h>

extern void reach_error(void);

int main(void) {
    struct tm date = {.tm_year = 100, .tm_mon = 14, .tm_mday = 1};
    mktime(&date);
    if (date.tm_mon != 14)
        reach_error();
    return 0;
}
