// EXPECT: true unreach-call LP64
extern void reach_error(void);

static int unused(void) {
    reach_error();
    return 1;
}

int main(void) { return sizeof(unused()) == 4; }
