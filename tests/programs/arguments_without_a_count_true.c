// EXPECT: true unreach-call LP64
/* The first argument is the name of the program, also where nothing reads how many there are. */
extern void reach_error(void);

int main(int argc, char **argv) {
    if (!argv[0])
        reach_error();
    int n = 0;
    while (*++argv && n < 2)
        n++;
    if (n > 2)
        reach_error();
    return 0;
}
