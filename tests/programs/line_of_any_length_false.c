// EXPECT: false unreach-call LP64
// getline and getdelim make room for what they read; the last line may lack its end.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
int main(void) {
    char *line = NULL, *field = NULL;
    size_t size = 0, room = 0;
    long n = getdelim(&field, &room, ':', stdin);
    if (n == 3 && memcmp(field, "id:", 3) == 0) {
        n = getline(&line, &size, stdin);
        if (n == 2 && line[0] == '4' && line[1] == '2' && feof(stdin))
            reach_error();
    }
    free(line);
    free(field);
    return 0;
}
