// EXPECT: false unreach-call LP64
// Where null was replaced, the access of a member is one of the program's memory.
// NATIVE: no (the number that ext returns stands for null after the assumption on its range)
extern void reach_error(void);
struct pair {
    int first, second;
};
extern struct pair *ext(void);
static struct pair own;

static void set(int *place) { *place = 1; }

int main(void) {
    struct pair *p = ext();
    if (!p)
        p = &own;
    set(&p->second);
    if (own.second == 1)
        reach_error();
    return 0;
}
