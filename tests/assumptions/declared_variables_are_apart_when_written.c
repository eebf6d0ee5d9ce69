// EXPECT: true unreach-call LP64
// ASSUMES: a is only declared: it is not one of the program's own variables, it may hold any value at the start, and nothing outside the program changes it
// ASSUMES: different variables or functions that are only declared share no bytes, and such functions are not the program's own
extern void reach_error(void);
extern int a, b;
int main(void) {
    a = 1;
    b = 2;
    if (a != 1)
        reach_error();
    return 0;
}
