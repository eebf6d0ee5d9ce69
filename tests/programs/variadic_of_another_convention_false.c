// EXPECT: false unreach-call LP64 UNKNOWN-OK
// A va_list of Windows is a pointer, not the structure of System V.
extern void reach_error(void);

struct lists {
    __builtin_ms_va_list list;
    long behind[2];
};

__attribute__((ms_abi)) static int is_kept(int n, ...) {
    struct lists lists;
    lists.behind[0] = 7;
    __builtin_ms_va_start(lists.list, n);
    __builtin_ms_va_end(lists.list);
    return lists.behind[0] == 7;
}

int main(void) {
    if (is_kept(3, 1, 2))
        reach_error();
    return 0;
}
