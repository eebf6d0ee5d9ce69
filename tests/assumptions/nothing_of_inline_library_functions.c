// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern int tolower(int);
extern inline __attribute__((gnu_inline)) int toupper(int c) { return tolower(c); }
int main(void) {
    if (toupper('a') != 'A')
        reach_error();
    return 0;
}
