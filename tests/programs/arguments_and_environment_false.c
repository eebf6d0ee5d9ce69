// EXPECT: false unreach-call LP64
// The texts of arguments and of a variable decide; another variable must not exist.
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
int main(int argc, char **argv) {
    const char *mode = getenv("MODE");
    if (argc == 3 && strcmp(argv[1], "-m") == 0 && argv[2][0] == '\'' && argv[2][1] == '$' && mode && !getenv("QUIET") && strcmp(argv[2] + 2, mode) == 0 && mode[0] == ' ')
        reach_error();
    return 0;
}
