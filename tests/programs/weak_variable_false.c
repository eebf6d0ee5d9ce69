// EXPECT: false unreach-call LP64
// INPUTS:
extern void reach_error(void);
extern int setting __attribute__((weak));

int main(void) {
    int n = &setting ? 1 : 3;
    if (n == 3)
        reach_error();
    return 0;
}
