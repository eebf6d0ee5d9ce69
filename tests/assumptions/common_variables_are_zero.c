// EXPECT: true unreach-call LP64
// ASSUMES: no other file replaces the definition of x
extern void reach_error(void);
__attribute__((common)) int x;
int main(void) {
    if (x != 0)
        reach_error();
    return 0;
}
