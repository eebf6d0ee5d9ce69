// EXPECT: true unreach-call LP64
extern double fabs(double) __attribute__((weak));
extern int atoi(const char *) __attribute__((weak));
extern void reach_error(void);

/* Weak functions of the library that are there do what they do; a call of one that is not there ends the execution. */
int main(void) {
    if (fabs && fabs(-1.0) != 1.0)
        reach_error();
    if (atoi("3") != 3 || !atoi)
        reach_error();
    return 0;
}
