// EXPECT: true unreach-call LP64
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    float tenth = 0.1f;
    check(tenth != 0.1 && (float)0.1 == tenth);
    check(0.1 + 0.2 != 0.3);
    check(16777216.0f + 1.0f == 16777216.0f);
    check(9007199254740992.0 + 1.0 == 9007199254740992.0);
    check(1.0f / 3.0f < 0.33333334f + 1e-7f);
    return 0;
}
