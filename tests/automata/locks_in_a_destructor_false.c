// EXPECT: false locks.spc LP64
// VIOLATED: lock() twice
// Constructors and destructors are called, too: the second lock is the destructor.
void unlock(void) {}
__attribute__((destructor)) void lock(void) {}
int main(void) {
    lock();
    return 0;
}
