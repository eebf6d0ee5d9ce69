// EXPECT: false arguments.spc LP64
// VIOLATED: put() of a negative number
extern void put(signed char);
extern int input(void);
int limit;
int main(void) {
    int n = input();
    if (n > 127)
        put((signed char)n);
    return limit;
}
