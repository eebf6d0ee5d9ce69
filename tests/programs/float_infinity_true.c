// EXPECT: true unreach-call LP64
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    double huge = 1e308;
    double inf = huge * 10;
    check(inf > huge && inf == inf + 1);
    check(inf - inf != inf - inf);
    check(1 / inf == 0 && -1 / inf == 0);
    check(1 / (-1 / inf) == -inf);
    return 0;
}
