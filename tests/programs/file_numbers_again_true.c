// EXPECT: true unreach-call LP64 UNKNOWN-OK
#include <fcntl.h>
#include <unistd.h>

extern void reach_error(void);

int main(void) {
    int first = open("/dev/null", O_RDONLY);
    if (first < 0 || close(first) != 0)
        return 0;
    int second = open("/dev/null", O_RDONLY);
    if (second >= 0 && second != first)
        reach_error();
    return 0;
}
