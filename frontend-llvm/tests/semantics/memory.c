/* Arrays, structures, unions, pointers, copies, strings, the heap, overlapping accesses of other widths. */
#include "observe.h"
#include <stdlib.h>
#include <string.h>

struct point { char tag; int x; short y; long long z; };
struct node { struct node *next; int value; };
static struct point table[3] = {{'a', 1, 2, 3}, {.z = 9, .x = -1}, {'c', 7}};
static const char *names[] = {"zero", "one", "twelve"};
static int matrix[4][5] = {{1, 2}, {3, 4, 5}};
static char text[20] = "hello";
static int *into = &matrix[1][2];
static char *end = text + 5;
static int zeros[300];
static union { int i; unsigned char b[4]; float f; } mixed = {0x3f801234};
static void (*nothing)(void) = 0;
static struct { int n; int *p; struct point q; } nested = {4, &zeros[7], {'q', 11, 12, 13}};

static struct point make(int n) {
    struct point p = {(char)n, n * 2, (short)(n * 3), n * 4LL};
    return p;
}

static long long total(struct point p, struct point *q) {
    p.x += 100;
    q->y++;
    return p.tag + p.x + p.y + p.z + q->x + q->y;
}

unsigned run(void) {
    unsigned h = 1;
    for (int i = 0; i < 3; i++) {
        observe(h, table[i].tag), observe(h, table[i].x), observe(h, table[i].y), observe(h, table[i].z), observe(h, names[i][2]);
        observe(h, strlen(names[i]));
    }
    observe(h, *into), observe(h, into[-1]), observe(h, end[-2]), observe(h, *end), observe(h, end - text), observe(h, nothing == 0);
    observe(h, nested.n + nested.q.x + nested.q.y + (int)nested.q.z + nested.q.tag), observe(h, nested.p - zeros);
    *nested.p = 5;
    observe(h, zeros[7]), observe(h, zeros[299]), observe(h, zeros[0]);
    struct point p = make(21), copy = p;
    copy.x = 3;
    observe(h, total(p, &copy)), observe(h, p.x), observe(h, copy.y), observe(h, make(3).z);
    for (int i = 0; i < 4; i++)
        observe(h, mixed.b[i]);
    mixed.b[1] = 0xAA;
    observe(h, mixed.i), observe(h, mixed.f > 1.0f);
    int words[8];
    for (int i = 0; i < 8; i++)
        words[i] = i * i * 1001;
    unsigned char *raw = (unsigned char *)words;
    for (unsigned i = 0; i < sizeof words; i++)
        observe(h, raw[i]);
    *(short *)(raw + 5) = 0x1234;
    observe(h, words[1]), observe(h, words[2]);
    memmove(words + 1, words, 5 * sizeof(int));
    observe(h, words[1]), observe(h, words[5]), observe(h, words[6]);
    memset(words + 2, 0x5A, 9);
    observe(h, words[2]), observe(h, words[4]);
    char buffer[32];
    strcpy(buffer, text);
    strcat(buffer, " world");
    observe(h, strlen(buffer)), observe(h, strcmp(buffer, "hello world")), observe(h, strcmp(buffer, "help") < 0), observe(h, strchr(buffer, 'w') - buffer);
    struct node *list = 0;
    for (int i = 0; i < 6; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = list, n->value = i * 7, list = n;
    }
    for (struct node *n = list; n; n = n->next)
        observe(h, n->value);
    int *grown = calloc(3, sizeof(int));
    observe(h, grown[2]);
    grown[1] = 44;
    grown = realloc(grown, 100 * sizeof(int));
    grown[99] = 1;
    observe(h, grown[1] + grown[99]);
    free(grown);
    int n = 6 + (int)(h & 3);
    int vla[n];
    for (int i = 0; i < n; i++)
        vla[i] = i * 3;
    observe(h, vla[n - 1]), observe(h, sizeof vla);
    for (int i = 0; i < 3; i++) {
        int *slots[3];
        int local = i * 10;
        slots[i] = &local;
        *slots[i] += 1;
        observe(h, local);
    }
    return h;
}
