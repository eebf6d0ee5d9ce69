// EXPECT: true unreach-call LP64
// Objects lie in any order, but in one: it is transitive.
extern void reach_error(void);
int a, b, c;
int main(void) {
    if (&a < &b && &b < &c && &c < &a)
        reach_error();
    return 0;
}
