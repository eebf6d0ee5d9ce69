/* Functions of the C library that have models. */
#include "observe.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

unsigned run(void) {
    unsigned h = 1;
    int values[] = {5, -3, 99, 0, 17, 17, 2};
    qsort(values, 7, sizeof(int), by_value);
    for (int i = 0; i < 7; i++)
        observe(h, values[i]);
    int key = 17;
    int *found = bsearch(&key, values, 7, sizeof(int), by_value);
    observe(h, *found);
    observe(h, atoi("-123x")), observe(h, strtol("0x1fz", 0, 0)), observe(h, abs(-4)), observe(h, isdigit('7') != 0), observe(h, toupper('q'));
    observe(h, memcmp("abc", "abd", 3) < 0), observe(h, strncmp("abc", "abd", 2)), observe(h, strstr("a needle", "need") != 0), observe(h, strrchr("abcabc", 'b')[1]);
    char text[64];
    observe(h, sprintf(text, "%d-%s-%c-%x", 42, "str", 'z', 255)), observe(h, strcmp(text, "42-str-z-ff"));
    observe(h, snprintf(text, 5, "%u", 1234567u)), observe(h, strlen(text));
    div_t q = div(-17, 5);
    observe(h, q.quot), observe(h, q.rem);
    char *copy = strdup("copied");
    observe(h, strlen(copy)), observe(h, copy[3]);
    return h;
}
