// EXPECT: true unreach-call LP64
// ASSUMES: n is declared only: it is none of the program's own variables, holds anything at the start, and nobody else changes it
extern void reach_error(void);
extern int n;
int main(void) {
    int before = n;
    if (n != before)
        reach_error();
    return 0;
}
