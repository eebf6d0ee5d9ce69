// EXPECT: true unreach-call LP64
// ASSUMES: different variables or functions that are only declared share no bytes, and such functions are not the program's own
extern void reach_error(void);
extern void first(void), second(void);
int main(void) {
    void (*p)(void) = first, (*q)(void) = second;
    if (p == q)
        reach_error();
    return 0;
}
