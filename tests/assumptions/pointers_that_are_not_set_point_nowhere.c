// EXPECT: true unreach-call LP64
// ASSUMES: each memory access is valid: within the bounds of a live object from whose address its pointer was computed
extern void reach_error(void);
int main(void) {
    int *p;
    *p = 1;
    reach_error();
    return 0;
}
