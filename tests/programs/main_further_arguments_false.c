// EXPECT: false unreach-call LP64 UNKNOWN-OK
// INPUTS:
// ARGS: x x x x x x x x x x x x
// NATIVE: no (which text stands in an argument far behind is not modelled)
extern void reach_error(void);

int main(int argc, char **argv) {
    if (argc == 13 && argv[12][0] == 'x')
        reach_error();
    return 0;
}
