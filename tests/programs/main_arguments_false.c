// EXPECT: false unreach-call LP64
// INPUTS:
// ARGS: x x
extern void reach_error(void);

int main(int argc, char **argv) {
    if (argc == 3 && argv[1][0] == 'x')
        reach_error();
    return 0;
}
