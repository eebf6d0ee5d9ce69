// EXPECT: true unreach-call LP64 UNKNOWN-OK
// A file that is open for writing only cannot be read: proofs do not know it, but no alarm is raised.
#include <fcntl.h>
#include <unistd.h>
extern void reach_error(void);
int main(void) {
    char c;
    int file = open("log", O_WRONLY | O_CREAT, 0600);
    if (file >= 0 && read(file, &c, 1) >= 0)
        reach_error();
    return 0;
}
