// EXPECT: true unreach-call LP64
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

static int depth_sum(int *outer, int depth) {
    int mine = depth;
    if (depth == 0)
        return *outer;
    *outer += 1;
    int r = depth_sum(&mine, depth - 1);
    return r + mine;
}

int main(void) {
    int start = 0;
    int r = depth_sum(&start, 3);
    check(start == 1 && r == 9);
    return 0;
}
