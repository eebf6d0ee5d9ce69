// EXPECT: true locks.spc ILP32
extern void lock(void), unlock(void);
extern void other(void);
extern int input(void);
int main(void) {
    void (*table[3])(void) = {lock, unlock, other};
    for (int i = input(); i > 0; i--) {
        table[0]();
        table[2]();
        table[1]();
    }
    return 0;
}
