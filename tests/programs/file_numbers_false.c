// EXPECT: false unreach-call LP64
#include <fcntl.h>
#include <unistd.h>

extern void reach_error(void);

int main(void) {
    int first = open("/dev/null", O_RDONLY), second = open("/dev/null", O_RDONLY);
    if (first >= 0 && second > first && close(first) == 0)
        reach_error();
    return 0;
}
