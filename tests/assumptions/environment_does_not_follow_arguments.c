// EXPECT: true unreach-call LP64
// ASSUMES: main is passed at least the name of the program
// ASSUMES: envp has fewer than 2^31 elements, each of fewer than 2^32 characters, and those after the eighth of fewer than 2^40 together; the array and each string lie apart from everything else, with space in between
extern void reach_error(void);
int main(int argc, char **argv, char **envp) {
    if (envp == argv + 2)
        reach_error();
    return 0;
}
