// EXPECT: false unreach-call LP64 UNKNOWN-OK
extern void reach_error(void);
extern int save(long *) __attribute__((returns_twice));
extern void restore(long *, int) __attribute__((noreturn));
static long context[20];
static int n;
int main(void) {
    if (save(context) == 0) {
        n = 1;
        restore(context, 1);
    } else if (n == 1)
        reach_error();
    return 0;
}
