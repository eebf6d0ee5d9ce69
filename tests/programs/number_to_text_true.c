// EXPECT: true unreach-call LP64
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int sprintf(char *to, const char *format, ...);
int strcmp(const char *a, const char *b);

int main(void) {
    char b[32];
    int n = sprintf(b, "%d:%03u:%s:%c:%x", -7, 5u, "ab", 'z', 255);
    check(n == 14 && strcmp(b, "-7:005:ab:z:ff") == 0);
    return 0;
}
