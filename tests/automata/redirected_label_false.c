// EXPECT: false redirected.spc LP64
// VIOLATED: it is called
extern void renamed(void) __asm__("another");

int main(void) {
    renamed();
    return 0;
}
