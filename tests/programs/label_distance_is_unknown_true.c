// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    static const long distances[] = {(char *)&&zero - (char *)&&zero, (char *)&&one - (char *)&&zero};
    int r;
    goto *(void *)((char *)&&zero + distances[__VERIFIER_nondet_bool()]);
zero:
    r = 10;
    goto end;
one:
    r = 11;
end:
    if (r != 10 && r != 11)
        reach_error();
    return 0;
}
