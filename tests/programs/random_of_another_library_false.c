// EXPECT: false unreach-call LP64 UNKNOWN-OK
// It has the name of a function of the C library, but other parameters.
extern int random(int most);
extern void reach_error(void);
int main(void) {
    if (random(5) == -1)
        reach_error();
    return 0;
}
