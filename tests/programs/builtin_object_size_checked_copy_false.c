// EXPECT: false unreach-call LP64
extern void reach_error(void);
static void copy(char *to, const char *from, unsigned long n) {
    __builtin___memcpy_chk(to, from, n, __builtin_object_size(to, 0));
}

int main(void) {
    char buffer[10];
    copy(buffer, "abc", 4);
    if (buffer[2] == 'c')
        reach_error();
    return 0;
}
