// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (ext is undefined)
extern void reach_error(void);
struct pair {
    int first, second;
};
extern struct pair *ext(void);

static void set(int *place) { *place = 1; }

int main(void) {
    struct pair *p = ext();
    set(&p->second);
    if (p)
        reach_error();
    return 0;
}
