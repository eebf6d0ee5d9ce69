// EXPECT: false unreach-call ILP32
// INPUTS:
// STDIN: 12 30
extern void reach_error(void);

int scanf(const char *format, ...);

int main(void) {
    int a = 0, b = 0;
    if (scanf("%d %d", &a, &b) == 2 && a == 12 && b == 30)
        reach_error();
    return 0;
}
