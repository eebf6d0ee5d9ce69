// EXPECT: true unreach-call LP64
extern void error(void) __asm__("verifier.error");
extern void __SEAHORN_fail(void);
extern unsigned char nd_uchar(void);
int main(void) {
    unsigned char c = nd_uchar();
    if (c > 255)
        error();
    if (c * c > 65025)
        __SEAHORN_fail();
    return 0;
}
