// EXPECT: true unreach-call LP64
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

void *malloc(__SIZE_TYPE__ size);

struct text {
    int length;
    char bytes[];
};

int main(void) {
    struct text *t = malloc(sizeof(struct text) + 4);
    if (t == 0)
        return 0;
    t->length = 4;
    for (int i = 0; i < t->length; i++)
        t->bytes[i] = (char)('a' + i);
    check(t->length == 4 && t->bytes[3] == 'd');
    return 0;
}
