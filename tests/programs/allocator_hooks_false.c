// EXPECT: false unreach-call LP64
// Memory through hooks, as in libraries that let their users choose an allocator: each call has blocks of its own.
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct hooks {
    void *(*allocate)(size_t);
    void *(*resize)(void *, size_t);
};
static struct hooks hooks = {malloc, realloc};

struct item {
    struct item *next;
    char *name;
};

static void *zeroed(size_t n) { return calloc(1, n); }

static struct item *new_item(const struct hooks *h, const char *name, struct item *next) {
    struct item *item = h->allocate(sizeof *item);
    char *copy = h->allocate(strlen(name) + 1);
    if (!item || !copy)
        exit(0);
    strcpy(copy, name);
    item->name = copy;
    item->next = next;
    return item;
}

int main(void) {
    struct hooks own = hooks;
    if (__VERIFIER_nondet_int())
        own.allocate = zeroed;
    struct item *list = new_item(&own, "b", new_item(&own, "a", 0));
    list->name[0] = 'c';
    if (list->next->name[0] != 'a' || list->next->next)
        reach_error();
    char *text = hooks.resize(hooks.allocate(4), 8);
    if (!text)
        return 0;
    strcpy(text, "seven");
    if (list->name[0] != 'c' || text[4] == 'n')
        reach_error();
    return 0;
}
