// EXPECT: true unreach-call LP64
// NATIVE: no (files of the machine)
// A status is there only after success, and descriptors are no negative numbers.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

extern void reach_error(void);

int main(void) {
    struct stat found = {.st_size = -5};
    int handle = open("file", O_RDONLY);
    if (handle < 0)
        return 0;
    if (fstat(handle, &found) != 0 && found.st_size != -5)
        reach_error();
    int copy = dup(handle);
    if (copy < -1 || dup(-1) != -1 || fcntl(handle, F_GETFL) < -1 || fstat(-1, &found) != -1)
        reach_error();
    int ends[2];
    if (pipe(ends) == 0 && (ends[0] < 0 || ends[0] == ends[1]))
        reach_error();
    return 0;
}
