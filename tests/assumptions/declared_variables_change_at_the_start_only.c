// EXPECT: true unreach-call LP64
// ASSUMES: n is only declared: it is not one of the program's own variables, it may hold any value at the start, and nothing outside the program changes it
extern void reach_error(void);
extern int n;
int main(void) {
    int before = n;
    if (n != before)
        reach_error();
    return 0;
}
