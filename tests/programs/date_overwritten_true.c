// EXPECT: true unreach-call LP64
#include <time.h>

extern void reach_error(void);

int main(void) {
    time_t first = 0, second = 1000000000;
    struct tm date, *kept = gmtime_r(&first, &date);
    int year = date.tm_year;
    ctime(&second);
    localtime(&second);
    if (kept != NULL && date.tm_year != year)
        reach_error();
    return 0;
}
