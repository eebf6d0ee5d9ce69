// EXPECT: false locks.spc ILP32
// VIOLATED: unlock() without lock()
extern void lock(void), unlock(void);
extern int input(void);
int main(void) {
    int c = input();
    void (*first)(void) = c ? lock : unlock;
    void (*second)(void) = c ? unlock : lock;
    first();
    second();
    if (!c)
        unlock();
    return 0;
}
