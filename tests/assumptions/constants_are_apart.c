// EXPECT: true unreach-call LP64
// ASSUMES: different constants share no bytes
extern void reach_error(void);
const char *tail = "bc", *whole = "abc";
int main(void) {
    if (whole + 1 == tail)
        reach_error();
    return 0;
}
