// EXPECT: false unreach-call ILP32 UNKNOWN-OK
// NATIVE: no (glibc's headers call it so with _TIME_BITS=64 only)
extern void reach_error(void);
extern long long __time64(long long *place);

/* A function of the C library changes what it is given. */
int main(void) {
    long long now = 0;
    __time64(&now);
    if (now != 0)
        reach_error();
    return 0;
}
