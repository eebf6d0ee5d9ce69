// EXPECT: false unreach-call LP64 UNKNOWN-OK
#include <stdlib.h>

extern void reach_error(void);
extern char **environ;
static char text[] = "A=1";
static char *own[] = {text, 0};

int main(void) {
    environ = own;
    char *value = getenv("A");
    if (value)
        *value = '2';
    if (text[2] == '2')
        reach_error();
    return 0;
}
