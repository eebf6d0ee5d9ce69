// EXPECT: false redirected.spc LP64
// VIOLATED: it is called
static void first(void) {}
void second(void) __attribute__((alias("first")));

int main(void) {
    second();
    return 0;
}
