// EXPECT: true unreach-call ILP32
// ASSUMES: each access to memory is valid: in bounds of a live object that its pointer was made for
// ASSUMES: main is passed at least the name of the program
// ASSUMES: argv has fewer than 2^20 elements
extern void reach_error(void);
int main(int argc, char **argv) {
    if (argc > 1 << 21 && argv[1] != argv[0])
        reach_error();
    return 0;
}
