// EXPECT: true unreach-call LP64
// A function of the program that nobody outside can know is not what an undefined function returns.
extern void reach_error(void);
static int handler(void) { return 1; }
extern int (*chosen(void))(void);
int main(void) {
    if (chosen() == handler)
        reach_error();
    return 0;
}
