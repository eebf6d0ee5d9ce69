// EXPECT: false unreach-call LP64
// The file that the first argument names has a heading and a setting.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
int main(int argc, char **argv) {
    char line[32];
    FILE *file = argc == 2 && argv[1][0] == 's' ? fopen(argv[1], "r") : NULL;
    if (!file)
        return 1;
    if (fgets(line, sizeof line, file) && strcmp(line, "[size]\n") == 0)
        if (fgets(line, sizeof line, file) && line[0] == 'w' && line[1] == '=' && atoi(line + 2) == 16)
            reach_error();
    fclose(file);
    return 0;
}
