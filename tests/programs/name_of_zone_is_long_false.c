// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (TZ is not set)
// The name of a time zone may be as long as the variable TZ.
#define _GNU_SOURCE
#include <time.h>

extern void reach_error(void);

int main(void) {
    time_t now = time(NULL);
    struct tm *date = localtime(&now);
    if (date != NULL && date->tm_zone[0] != 0 && date->tm_zone[63] != 0 && date->tm_zone[64] == 0)
        reach_error();
    return 0;
}
