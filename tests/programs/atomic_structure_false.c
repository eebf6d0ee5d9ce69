// EXPECT: false unreach-call LP64 UNKNOWN-OK
// The compiler calls __atomic_store.
extern void reach_error(void);
struct wide { long a[5]; };
static _Atomic struct wide shared;
int main(void) {
    struct wide v = {{1, 2, 3, 4, 5}};
    shared = v;
    if (((struct wide *)&shared)->a[2] == 3)
        reach_error();
    return 0;
}
