// EXPECT: true unreach-call LP64
// ASSUMES: no other file defines x, which may be replaced
extern void reach_error(void);
__attribute__((common)) int x;
int main(void) {
    if (x != 0)
        reach_error();
    return 0;
}
