// EXPECT: true unreach-call LP64
// ASSUMES: compilers turn no other code (copies, arithmetic, calls of other functions) into calls of the program's own memcpy
typedef __SIZE_TYPE__ size_t;
extern void reach_error(void);
static int calls;
struct block { long a[100]; };
void *memcpy(void *to, const void *from, size_t n) {
    calls++;
    char *t = to;
    const char *f = from;
    while (n--)
        *t++ = *f++;
    return to;
}
int main(void) {
    struct block p, q;
    p.a[3] = 5;
    q = p;
    if (calls != 0)
        reach_error();
    return q.a[3] != 5;
}
