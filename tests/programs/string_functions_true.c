// EXPECT: true unreach-call ILP32
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

__SIZE_TYPE__ strlen(const char *s);
char *strcpy(char *to, const char *from);
char *strcat(char *to, const char *from);
int strcmp(const char *a, const char *b);
char *strchr(const char *s, int c);
char *strstr(const char *s, const char *wanted);

int main(void) {
    char b[16];
    strcpy(b, "abc");
    strcat(b, "def");
    check(strlen(b) == 6 && strcmp(b, "abcdef") == 0);
    check(strcmp(b, "abcdeg") < 0 && strcmp(b, "abc") > 0);
    check(strchr(b, 'd') == b + 3 && strchr(b, 'x') == 0);
    check(strstr(b, "cde") == b + 2);
    return 0;
}
