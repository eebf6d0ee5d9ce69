// EXPECT: false unreach-call LP64 UNKNOWN-OK
extern void reach_error(void);
extern char *strdup(const char *);
static int calls;
static char pool[64];
void *malloc(unsigned long bytes) {
    calls++;
    return pool;
}

int main(void) {
    strdup("x");
    if (calls == 1)
        reach_error();
    return 0;
}
