// EXPECT: true unreach-call LP64
// ASSUMES: what getenv returns is not a string that the program can reach through environ or main's third parameter
// ASSUMES: envp has fewer than
// ASSUMES: memory allocation (malloc, new, ...) never fails, also not for 0 bytes
// ASSUMES: each memory access is valid
#include <stdlib.h>
extern void reach_error(void);
int main(int argc, char **argv, char **envp) {
    char *value = getenv("A");
    if (value && envp[0] && value[0] == 'x' && envp[0][0] == 'A' && envp[0][1] == '=') {
        envp[0][2] = 'y';
        if (value[0] != 'x')
            reach_error();
    }
    return 0;
}
