// EXPECT: true unreach-call ILP32
// ASSUMES: compilers turn no other code (copies, arithmetic, calls of other functions) into calls of the program's own __divdi3
extern void reach_error(void);
long long __divdi3(long long a, long long b) {
    reach_error();
    return a - b;
}
int main(void) {
    volatile long long a = 3;
    return (int)(7 / a);
}
