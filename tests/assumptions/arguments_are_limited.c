// EXPECT: true unreach-call ILP32
// ASSUMES: an address that comes from outside or is made from a number lies neither in nor just beyond an object or function that the program knows from elsewhere, unless the program computes with the address of that object
// ASSUMES: each memory access is valid: within the bounds of a live object from whose address its pointer was computed
// ASSUMES: main is passed at least the name of the program
// ASSUMES: argv has fewer than 2^20 elements
extern void reach_error(void);
int main(int argc, char **argv) {
    if (argc > 1 << 21 && argv[1] != argv[0])
        reach_error();
    return 0;
}
