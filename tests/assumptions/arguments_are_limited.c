// EXPECT: true unreach-call ILP32
// ASSUMES: an address from outside, or made of a number, lies neither in nor behind an object or function that the program knows from elsewhere, unless it computes with its address
// ASSUMES: each access to memory is valid: in bounds of a live object from whose address its pointer was computed
// ASSUMES: main is passed at least the name of the program
// ASSUMES: argv has fewer than 2^20 elements
extern void reach_error(void);
int main(int argc, char **argv) {
    if (argc > 1 << 21 && argv[1] != argv[0])
        reach_error();
    return 0;
}
