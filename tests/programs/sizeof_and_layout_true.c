// EXPECT: true unreach-call LP64
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

#include <stddef.h>

struct mixed {
    char c;
    double d;
    short s;
    char tail[3];
};

struct __attribute__((packed)) tight {
    char c;
    int i;
};

int main(void) {
    int a[7];
    check(sizeof a / sizeof a[0] == 7 && sizeof(char) == 1);
    check(offsetof(struct mixed, d) == 8 && sizeof(struct mixed) == 24);
    check(offsetof(struct mixed, tail) == 18);
    check(sizeof(struct tight) == 5 && offsetof(struct tight, i) == 1);
    return 0;
}
