// EXPECT: false unreach-call LP64
// NATIVE: no-sanitizers
// An address that was taken apart bit by bit is still that address.
extern void reach_error(void);
static int x = 1;

int main(void) {
    unsigned long from = (unsigned long)&x, to = 0;
    for (int i = 0; i < 64; i++)
        if (from >> i & 1)
            to |= 1ul << i;
    *(int *)to = 5;
    if (x != 1)
        reach_error();
    return 0;
}
