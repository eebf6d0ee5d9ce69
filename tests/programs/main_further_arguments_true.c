// EXPECT: true unreach-call LP64
extern void reach_error(void);

int main(int argc, char **argv) {
    if (argc < 1 || argv[argc] != 0)
        reach_error();
    if (argc > 3 && argv[3] == 0)
        reach_error();
    return 0;
}
