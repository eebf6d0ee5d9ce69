// EXPECT: true unreach-call LP64
extern void reach_error(void);
#define N 50000

int a[N];

int main(void) {
    for (int *p = a; p < a + N; p++)
        *p = 42;
    for (int *p = a; p < a + N; p++)
        if (*p != 42)
            reach_error();
    return 0;
}
