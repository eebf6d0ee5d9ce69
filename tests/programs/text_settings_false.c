// EXPECT: false unreach-call LP64
/* A file of settings of eight characters, one of which turns something on that should not be. */
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

static int level;

static int set(const char *text) {
    char name[9], value[9];
    while (*text != '\0') {
        const char *end = strchr(text, '\n');
        size_t n = end ? (size_t)(end - text) : strlen(text);
        if (n > 0 && *text != '#') {
            const char *equals = memchr(text, '=', n);
            if (equals == NULL)
                return -1;
            size_t before = (size_t)(equals - text), after = n - before - 1;
            memcpy(name, text, before);
            name[before] = '\0';
            memcpy(value, equals + 1, after);
            value[after] = '\0';
            if (strcmp(name, "lv") == 0)
                level = atoi(value);
        }
        if (end == NULL)
            break;
        text = end + 1;
    }
    return 0;
}

int main(void) {
    char text[9] = {0};
    for (int i = 0; i < 8; i++)
        text[i] = __VERIFIER_nondet_char();
    if (set(text) == 0 && level == -42)
        reach_error();
    return 0;
}
