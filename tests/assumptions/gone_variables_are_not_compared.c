// EXPECT: true unreach-call LP64
// ASSUMES: addresses of local variables are not compared after the lifetime of the variable
extern void reach_error(void);
static int *first(void) {
    int x, *p = &x;
    return p;
}
static int *second(void) {
    int y, *p = &y;
    return p;
}
int main(void) {
    if (first() == second())
        reach_error();
    return 0;
}
