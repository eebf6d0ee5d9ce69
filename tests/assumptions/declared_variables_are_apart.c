// EXPECT: true unreach-call LP64
// ASSUMES: different variables or functions that are only declared share no bytes, and such functions are not the program's own
// ASSUMES: is only declared: it is not one of the program's own variables, it may hold any value at the start, and nothing outside the program changes it
// Another file may define one as an alias of the other.
extern void reach_error(void);
extern int one, other;
int main(void) {
    int *p = &one, *q = &other;
    if (p == q)
        reach_error();
    return 0;
}
