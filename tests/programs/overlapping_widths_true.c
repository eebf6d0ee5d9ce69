// EXPECT: true unreach-call LP64
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    unsigned char b[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    unsigned short s;
    unsigned w;
    __builtin_memcpy(&s, b + 1, sizeof s);
    __builtin_memcpy(&w, b + 3, sizeof w);
    check(s == 0x0302 && w == 0x07060504);
    w = 0xffffffff;
    __builtin_memcpy(b + 2, &w, 2);
    check(b[1] == 2 && b[2] == 255 && b[3] == 255 && b[4] == 5);
    return 0;
}
