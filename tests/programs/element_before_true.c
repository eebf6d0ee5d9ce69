// EXPECT: true unreach-call LP64
// Whether at - 1 is null is the question whether at is 1, where nothing lies: no text's address matters.
extern void reach_error(void);

static char before(const char *at) { return at[-1]; }

int main(void) {
    static const char *texts[] = {"abcdefgh", "bcdefghi", "cdefghij", "defghijk"};
    for (int i = 0; i < 4; i++)
        for (int j = 1; j <= 8; j++)
            if (before(texts[i] + j) != 'a' + i + j - 1)
                reach_error();
    return 0;
}
