// EXPECT: true unreach-call LP64
// ASSUMES: compilers turn no other code (copies, arithmetic, calls of other functions) into calls of the program's own memset
typedef __SIZE_TYPE__ size_t;
extern void reach_error(void);
void *memset(void *to, int byte, size_t n) {
    reach_error();
    return to;
}
int main(void) {
    char a[200] = {0};
    return a[3];
}
