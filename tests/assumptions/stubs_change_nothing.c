// EXPECT: true unreach-call LP64
// OPTIONS: --stub change
// ASSUMES: change is a stub: it may return any value, neither ends the program nor throws, changes nothing (not even the state of the C library) and calls no function of the program
extern void reach_error(void);
int g = 1;
static void change(void) { g = 2; }
int main(void) {
    change();
    if (g != 1)
        reach_error();
    return 0;
}
