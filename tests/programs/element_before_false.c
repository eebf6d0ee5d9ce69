// EXPECT: false unreach-call LP64
// The element before the end of the last text is its last one.
extern void reach_error(void);

static char before(const char *at) { return at[-1]; }

int main(void) {
    static const char *texts[] = {"abcdefgh", "bcdefghi", "cdefghij", "defghijk"};
    for (int i = 0; i < 4; i++)
        for (int j = 1; j <= 8; j++)
            if (before(texts[i] + j) != 'a' + i + j - 1 - (i == 3 && j == 8))
                reach_error();
    return 0;
}
