// EXPECT: true unreach-call LP64
// The same, and only that object is changed.
extern void reach_error(void);
static int x = 1, y = 1;

int main(void) {
    unsigned long from = (unsigned long)&x, to = 0;
    for (int i = 0; i < 8; i++)
        if (from >> 8 * i & 255)
            to |= (from >> 8 * i & 255) << 8 * i;
    *(int *)to = 5;
    if (x != 5 || y != 1)
        reach_error();
    return 0;
}
