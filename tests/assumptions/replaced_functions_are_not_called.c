// EXPECT: true unreach-call LP64
// OPTIONS: --replace change=keep
// ASSUMES: keep is called wherever the program calls change
extern void reach_error(void);
int g = 1;
static void change(void) { g = 2; }
void keep(void) {}
int main(void) {
    change();
    if (g != 1)
        reach_error();
    return 0;
}
