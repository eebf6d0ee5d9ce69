// EXPECT: true unreach-call LP64
// As the other one, where only the default is looked at; and what lies outside changes nothing of the program.
extern void reach_error(void);
struct config { int level; };
extern struct config *load(void);
static struct config standard = {1};

int main(void) {
    struct config *c = load();
    if (c)
        c->level = 2;
    else
        c = &standard;
    if (standard.level != 1)
        reach_error();
    if (c == &standard && c->level != 1)
        reach_error();
    return 0;
}
