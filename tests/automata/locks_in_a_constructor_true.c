// EXPECT: true locks.spc LP64
// Constructors and destructors are called, too: what the constructor locks, main unlocks.
__attribute__((constructor)) void lock(void) {}
void unlock(void) {}
int main(void) {
    unlock();
    return 0;
}
