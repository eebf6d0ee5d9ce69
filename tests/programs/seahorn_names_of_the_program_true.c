// EXPECT: true unreach-call LP64
// Functions with a body mean what they do, whatever their names are.
extern void reach_error(void);
static int asked;
void assume(int c) { asked += c; }
void sassert(int c) { asked -= c; }
int nd_int(void) { return 3; }
int main(void) {
    assume(0);
    sassert(0);
    if (nd_int() != 3 || asked)
        reach_error();
    return 0;
}
