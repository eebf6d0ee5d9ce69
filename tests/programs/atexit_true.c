// EXPECT: true unreach-call LP64
extern void reach_error(void);

int atexit(void (*function)(void));
void _Exit(int status);

static void fail(void) { reach_error(); }

int main(void) {
    atexit(fail);
    _Exit(0);
}
