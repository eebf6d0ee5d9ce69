// EXPECT: true unreach-call LP64
// What does hold of addresses: they are aligned, not null, apart, and the same each time.
extern void reach_error(void);
static unsigned long hash(void *p) { return (unsigned long)p * 2654435761u >> 16; }

int main(void) {
    long a, b;
    unsigned long x = (unsigned long)&a, y = (unsigned long)&b;
    if (x % 8 || !x || x == y || (x < y ? y - x : x - y) < 8)
        reach_error();
    if (hash(&a) != hash(&a))
        reach_error();
    return 0;
}
