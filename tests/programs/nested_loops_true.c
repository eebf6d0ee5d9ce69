// EXPECT: true unreach-call ILP32
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

int main(void) {
    int count = 0;
    for (int i = 0; i < 6; i++) {
        if (i == 4)
            break;
        for (int j = 0; j < 6; j++) {
            if (j == i)
                continue;
            if (j > 4)
                break;
            count++;
        }
    }
    check(count == 16);
    return 0;
}
