// EXPECT: true unreach-call LP64
// However many arguments there are, none of their addresses is null, and null follows the last.
extern void reach_error(void);

int main(int argc, char **argv) {
    int n = 0;
    while (argv[n])
        n++;
    if (n != argc)
        reach_error();
    return 0;
}
