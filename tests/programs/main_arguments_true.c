// EXPECT: true unreach-call ILP32
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(int argc, char **argv) {
    check(argc < 1 || argv[0] != 0);
    check(argv[argc] == 0);
    return 0;
}
