// EXPECT: true unreach-call LP64
// The pointer in a structure from outside is of no variable that only this file knows.
extern void reach_error(void);
static int own;
struct item {
    int *pointer;
    long size, capacity;
};
extern struct item pick(void);
int main(void) {
    struct item it = pick();
    own = 1;
    *it.pointer = 2;
    if (own != 1)
        reach_error();
    return 0;
}
