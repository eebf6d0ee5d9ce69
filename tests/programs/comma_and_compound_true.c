// EXPECT: true unreach-call LP64
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int a = 1, b = 2, c;
    c = (a++, b += a, a * b);
    check(a == 2 && b == 4 && c == 8);
    int i = 0;
    int v[3] = {5, 6, 7};
    v[i++] += 10;
    check(i == 1 && v[0] == 15 && v[1] == 6);
    return 0;
}
