// EXPECT: false unreach-call LP64 UNKNOWN-OK
extern void reach_error(void);
static int started;
static void start(void) { started = 1; }
__attribute__((section(".init_array"), used)) static void (*const run)(void) = start;

int main(void) {
    if (started)
        reach_error();
    return 0;
}
