// EXPECT: false unreach-call LP64
// NATIVE: no (the functions are defined in no file)
// A function that the program only declares is known outside: another function may return its address.
extern void reach_error(void);
extern int handler(void);
extern int (*chosen(void))(void);
int main(void) {
    if (chosen() == handler)
        reach_error();
    return 0;
}
