// EXPECT: false visits.spc LP64
// VIOLATED: a fourth visit
// The line is a whole function that calls itself.
extern int input(void);


/* The next line is line 8. */
static int down(int n) { return n <= 0 ? 0 : 1 + down(n - 1); }
int main(void) { return down(input()); }
