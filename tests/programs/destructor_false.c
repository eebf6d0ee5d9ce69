// EXPECT: false unreach-call LP64
// INPUTS:
extern void reach_error(void);

static int done;

__attribute__((destructor)) static void finish(void) {
    if (done)
        reach_error();
}

int main(void) {
    done = 1;
    return 0;
}
