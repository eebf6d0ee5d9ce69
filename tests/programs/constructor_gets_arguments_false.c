// EXPECT: false unreach-call LP64 UNKNOWN-OK
// The C library of GNU passes the arguments of main to constructors.
extern void reach_error(void);
static int count;
__attribute__((constructor)) static void start(int argc, char **argv) { count = argc; }

int main(void) {
    if (count == 1)
        reach_error();
    return 0;
}
