// EXPECT: true unreach-call LP64
// ASSUMES: different variables or functions that are declared only share no bytes, and such functions are none of the program's own
// ASSUMES: is declared only: it is none of the program's own variables, holds anything at the start, and nobody else changes it
// Another file may define one as an alias of the other.
extern void reach_error(void);
extern int one, other;
int main(void) {
    int *p = &one, *q = &other;
    if (p == q)
        reach_error();
    return 0;
}
