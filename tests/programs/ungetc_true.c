// EXPECT: true unreach-call LP64
// A character that is pushed back is read first, whatever reads.
#include <stdio.h>

extern void reach_error(void);

int main(void) {
    char block[2];
    int c = getchar();
    if (ungetc(c, stdin) != c)
        reach_error();
    if (c != EOF && (feof(stdin) || getc(stdin) != c))
        reach_error();
    ungetc('a', stdin);
    if (fread(block, 1, 2, stdin) == 0 || block[0] != 'a')
        reach_error();
    ungetc('b', stdin);
    rewind(stdin);
    ungetc('c', stdin);
    if (fgetc(stdin) != 'c')
        reach_error();
    return 0;
}
