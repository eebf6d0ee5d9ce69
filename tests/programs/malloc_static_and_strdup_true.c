// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern char *strdup(const char *);
// The linker does not see it.
static void *malloc(unsigned long bytes) {
    reach_error();
    return 0;
}

int main(void) {
    if (!strdup("x"))
        malloc(1);
    return 0;
}
