// EXPECT: false unreach-call LP64
// NATIVE: no (where objects lie is not ours to choose)
// Hashes of different addresses may be the same.
extern void reach_error(void);
static unsigned slot(void *p) { return ((unsigned long)p >> 4) % 16; }

int main(void) {
    int a, b;
    if (slot(&a) == slot(&b))
        reach_error();
    return 0;
}
