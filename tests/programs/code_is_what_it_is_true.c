// EXPECT: true unreach-call LP64 UNKNOWN-OK
// No function of these platforms begins with two zero bytes.
extern void reach_error(void);
static int three(void) { return 3; }
int main(void) {
    const unsigned char *code = (const unsigned char *)three;
    if (code[0] == 0 && code[1] == 0)
        reach_error();
    return 0;
}
