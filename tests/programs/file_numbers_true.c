// EXPECT: true unreach-call LP64
#include <fcntl.h>
#include <unistd.h>

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    char c;
    check(read(-1, &c, 1) == -1);
    check(write(-1, "a", 1) == -1);
    check(close(-1) == -1);
    check(lseek(-1, 0, SEEK_SET) == -1);
    check(access("", 0) == -1);
    check(getpid() != getppid());
    return 0;
}
