// EXPECT: false unreach-call LP64
// ARGS: a b c
extern void reach_error(void);

int main(int argc, char **argv) {
    int n = 0;
    while (argv[n])
        n++;
    if (n == 4 && argc == 4)
        reach_error();
    return 0;
}
