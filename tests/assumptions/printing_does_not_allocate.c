// EXPECT: true unreach-call LP64
// ASSUMES: C library functions that are not documented to allocate memory (such as printf, for a buffer) do not call the program's own malloc
// ASSUMES: compilers turn no other code (copies, arithmetic, calls of other functions) into calls of the program's own malloc
extern void reach_error(void);
extern int puts(const char *);
void *malloc(unsigned long n) {
    reach_error();
    return 0;
}
int main(void) {
    puts("a");
    return 0;
}
