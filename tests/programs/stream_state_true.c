// EXPECT: true unreach-call LP64
#include <stdio.h>

extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int c = getchar();
    check(c != EOF || feof(stdin) || ferror(stdin));
    check(c == EOF || !feof(stdin));
    char block[4] = {0};
    if (fread(block, 1, 4, stdin) < 4)
        check(feof(stdin) || ferror(stdin));
    clearerr(stdin);
    check(!feof(stdin) && !ferror(stdin));
    FILE *f = fopen("/dev/null", "r");
    if (f) {
        check(!feof(f) && !ferror(f));
        fgetc(f);
        rewind(f);
        check(!feof(f) && !ferror(f));
    }
    return 0;
}
