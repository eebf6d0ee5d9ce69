// EXPECT: true unreach-call LP64
// What -D_FORTIFY_SOURCE makes of memset ends the program where the object is too small.
#include <string.h>
extern void reach_error(void);
static struct {
    char a[4], b[4];
} s;
int main(void) {
    __builtin___memset_chk(s.a, 1, 8, __builtin_object_size(s.a, 1));
    reach_error();
    return 0;
}
