// EXPECT: true unreach-call ILP32
extern void reach_error(void);

int main(void) {
    int i = 0, n = 0;
again:
    n += 2;
    if (++i < 5)
        goto again;
    if (n != 10)
        goto fail;
    return 0;
fail:
    reach_error();
    return 1;
}
