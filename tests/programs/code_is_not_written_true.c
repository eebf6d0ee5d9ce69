// EXPECT: true unreach-call LP64
extern void reach_error(void);
int main(void) {
    *(char *)main = 1;
    reach_error();
    return 0;
}
