// EXPECT: false unreach-call LP64 UNKNOWN-OK
// INPUTS:
#include <time.h>

extern void reach_error(void);

/* ctime makes its text from localtime's date, whose place it overwrites. */
int main(void) {
    time_t first = 0, second = 1000000000;
    struct tm *date = gmtime(&first);
    int year = date->tm_year;
    ctime(&second);
    if (date->tm_year != year)
        reach_error();
    return 0;
}
