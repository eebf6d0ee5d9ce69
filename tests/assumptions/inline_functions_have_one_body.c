// EXPECT: true unreach-call LP64
// ASSUMES: no other file replaces the definition of f
extern void reach_error(void);
inline int f(void) { return 1; }
int main(void) {
    if (f() != 1)
        reach_error();
    return 0;
}
