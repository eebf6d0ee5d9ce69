// EXPECT: true unreach-call LP64
// The last part of a path, and what is before it.
#include <libgen.h>
#include <string.h>

extern void reach_error(void);

static void check(const char *path, const char *folder, const char *name) {
    char one[16], other[16];
    strcpy(one, path);
    strcpy(other, path);
    if (strcmp(dirname(one), folder) != 0 || strcmp(basename(other), name) != 0)
        reach_error();
}

int main(void) {
    check("/usr/lib", "/usr", "lib");
    check("/usr//lib//", "/usr", "lib");
    check("/usr/", "/", "usr");
    check("usr", ".", "usr");
    check("///", "/", "/");
    check("a/b", "a", "b");
    if (strcmp(dirname(0), ".") != 0)
        reach_error();
    return 0;
}
