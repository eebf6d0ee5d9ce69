// EXPECT: true unreach-call ILP32
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int atoi(const char *text);
long strtol(const char *text, char **end, int base);

int main(void) {
    char *end;
    const char *text = "  -42xyz";
    check(atoi(text) == -42);
    check(strtol(text, &end, 10) == -42 && *end == 'x');
    check(strtol("0x1F", &end, 16) == 31 && *end == 0);
    return 0;
}
