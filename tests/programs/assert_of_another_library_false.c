// EXPECT: false unreach-call LP64
// With one parameter, it is not what a failing assertion calls.
extern void _assert(int condition);
extern void reach_error(void);
int main(void) {
    _assert(1);
    reach_error();
    return 0;
}
