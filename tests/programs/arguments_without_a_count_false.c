// EXPECT: false unreach-call LP64
// INPUTS:
// ARGS: -x y
/* Two arguments after the name of the program, the first of which is an option. */
extern void reach_error(void);

int main(int argc, char **argv) {
    if (!argv[0])
        return 1;
    if (argv[1] && argv[1][0] == '-' && argv[1][1] == 'x' && argv[2] && !argv[3])
        reach_error();
    return 0;
}
