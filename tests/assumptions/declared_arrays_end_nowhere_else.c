// EXPECT: true unreach-call LP64
// ASSUMES: buffer is only declared: it is not one of the program's own variables
// ASSUMES: no object begins at the address at which another one ends, or beyond it at a distance that the program tests for
extern void reach_error(void);
extern char buffer[];
static char own[4];
int main(void) {
    if (buffer + 8 == own)
        reach_error();
    return 0;
}
