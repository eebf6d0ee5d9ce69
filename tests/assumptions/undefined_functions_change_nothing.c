// EXPECT: true unreach-call LP64
// ASSUMES: change is undefined: it may return any value, neither ends the program nor throws, changes nothing (not even the state of the C library) and calls no function of the program
extern void reach_error(void);
extern void change(void);
int g = 1;
int main(void) {
    change();
    if (g != 1)
        reach_error();
    return 0;
}
