// EXPECT: true unreach-call ILP32
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

struct inner {
    char tag;
    int values[2];
};
struct outer {
    struct inner first, *second;
    const char *text;
    int *into;
};

static int numbers[4] = {10, 20, 30};
static struct inner other = {'o', {7, 8}};
static struct outer o = {{'f', {1}}, &other, "hello", &numbers[2]};

int main(void) {
    check(o.first.tag == 'f' && o.first.values[0] == 1 && o.first.values[1] == 0);
    check(o.second->values[1] == 8 && o.text[4] == 'o' && o.text[5] == 0);
    check(*o.into == 30 && o.into[1] == 0 && numbers[1] == 20);
    o.second->tag = 'x';
    check(other.tag == 'x');
    return 0;
}
