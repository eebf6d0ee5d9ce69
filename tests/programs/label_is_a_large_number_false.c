// EXPECT: false unreach-call LP64 UNKNOWN-OK
extern void reach_error(void);

int main(int argc, char **argv) {
    void *to = &&end;
    if (argc > 5)
        goto *to;
    if ((unsigned long)to > 0x10000)
        reach_error();
end:
    return 0;
}
