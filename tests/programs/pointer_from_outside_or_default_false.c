// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (what load returns is not ours to choose)
// A pointer that an undefined function returned, or that of one object of the program.
extern void reach_error(void);
struct config { int level; };
extern struct config *load(void);
static struct config standard = {1};

int main(void) {
    struct config *c = load();
    if (!c)
        c = &standard;
    if (c->level != 1)
        reach_error();
    return 0;
}
