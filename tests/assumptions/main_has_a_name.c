// EXPECT: true unreach-call LP64
// ASSUMES: main is passed at least the name of the program
extern void reach_error(void);
int main(int argc, char **argv) {
    if (argc < 1)
        reach_error();
    return 0;
}
