// EXPECT: true unreach-call LP64
// ASSUMES: buffer is declared only: it is none of the program's own variables
// ASSUMES: no object begins at the address at which another one ends, or farther behind it at a distance for which the program looks
extern void reach_error(void);
extern char buffer[];
static char own[4];
int main(void) {
    if (buffer + 8 == own)
        reach_error();
    return 0;
}
