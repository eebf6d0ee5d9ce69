// EXPECT: true locks.spc LP64
extern void lock(void), unlock(void);
extern int input(void);
int main(void) {
    int n = input();
    for (int i = 0; i < n; i++) {
        lock();
        if (input())
            n--;
        unlock();
    }
    return 0;
}
