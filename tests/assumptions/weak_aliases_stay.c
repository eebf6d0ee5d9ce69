// EXPECT: true unreach-call LP64
// ASSUMES: no other file replaces the definition of y
extern void reach_error(void);
int x = 1;
extern int y __attribute__((weak, alias("x")));
int main(void) {
    y = 2;
    if (x == 1)
        reach_error();
    return 0;
}
