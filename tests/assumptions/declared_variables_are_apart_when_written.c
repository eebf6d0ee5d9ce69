// EXPECT: true unreach-call LP64
// ASSUMES: a is declared only: it is none of the program's own variables, holds anything at the start, and nobody else changes it
// ASSUMES: different variables or functions that are declared only share no bytes, and such functions are none of the program's own
extern void reach_error(void);
extern int a, b;
int main(void) {
    a = 1;
    b = 2;
    if (a != 1)
        reach_error();
    return 0;
}
