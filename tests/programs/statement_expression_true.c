// EXPECT: true unreach-call LP64
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

#define MAX(a, b)                    \
    ({                               \
        __typeof__(a) first_ = (a);  \
        __typeof__(b) second_ = (b); \
        first_ > second_ ? first_ : second_; \
    })

int main(void) {
    int n = 3;
    int m = MAX(n++, 2);
    check(m == 3 && n == 4);
    return 0;
}
