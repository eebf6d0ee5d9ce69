// EXPECT: true unreach-call LP64
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

char *strncpy(char *to, const char *from, __SIZE_TYPE__ n);
int strncmp(const char *a, const char *b, __SIZE_TYPE__ n);
int memcmp(const void *a, const void *b, __SIZE_TYPE__ n);

int main(void) {
    char b[6] = {9, 9, 9, 9, 9, 9};
    strncpy(b, "ab", 4);
    check(memcmp(b, "ab\0\0", 4) == 0 && b[4] == 9);
    strncpy(b, "xyzuvw", 3);
    check(strncmp(b, "xyz!", 3) == 0 && b[3] == 0);
    return 0;
}
