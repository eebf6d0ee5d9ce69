// EXPECT: true unreach-call ILP32
// ASSUMES: no object begins at the address at which another one ends, or beyond it at a distance that the program tests for
// ASSUMES: each memory access is valid: within the bounds of a live object from whose address its pointer was computed
// ASSUMES: main is passed at least the name of the program
// ASSUMES: argv has fewer than 2^20 elements, each of fewer than 2^17 characters, and those after the eighth of fewer than 2^24 together
extern void reach_error(void);
int main(int argc, char **argv) {
    if (argc > 1 << 21 && argv[1] != argv[0])
        reach_error();
    return 0;
}
