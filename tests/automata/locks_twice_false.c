// EXPECT: false locks.spc LP64
// VIOLATED: lock() twice
extern void lock(void), unlock(void);
extern int input(void);
int main(void) {
    int n = input();
    for (int i = 0; i < n; i++) {
        lock();
        if (input() == 42)
            continue;
        unlock();
    }
    if (n > 0) {
        lock();
        unlock();
    }
    return 0;
}
