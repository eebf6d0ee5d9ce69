// EXPECT: true unreach-call LP64
// The address of a member of null is that of no memory from outside: the access ends the execution.
extern void reach_error(void);
struct pair {
    int first, second;
    struct pair *next;
};
extern struct pair *ext(void);

static void set(int *place) { *place = 1; }

static int sum(const int *v) { return v[0] + v[1]; }

int main(void) {
    struct pair *p = ext();
    set(&p->second);
    if (!p)
        reach_error();
    struct pair *q = ext();
    int total = sum(&q->first);
    if (!q && total == total)
        reach_error();
    struct pair *r = ext(), **at = &r->next;
    while (*at)
        at = &(*at)->next;
    if (!r)
        reach_error();
    return 0;
}
