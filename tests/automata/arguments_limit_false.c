// EXPECT: false arguments.spc ILP32
// VIOLATED: resize() beyond the limit
// An unsigned argument makes the comparison unsigned.
extern void resize(unsigned);
int limit = 10;
int main(void) {
    resize(-1);
    return 0;
}
