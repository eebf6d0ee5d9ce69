// EXPECT: false unreach-call LP64
// INPUTS:
extern void reach_error(void);

static int k = 5;

__attribute__((destructor(102))) static void second(void) {
    if (k == 6)
        reach_error();
}

__attribute__((destructor(201))) static void first(void) {
    k++;
}

int main(void) {
    return 0;
}
