// EXPECT: true unreach-call LP64
extern void reach_error(void);

/* Destructors run in the opposite order of constructors: high priorities first, of equal ones the last first. */
static int k = 5;

__attribute__((destructor(102))) static void last(void) {
    if (k != 25)
        reach_error();
}

__attribute__((destructor)) static void third(void) {
    k *= 4;
}

__attribute__((destructor)) static void first(void) {
    k++;
}

__attribute__((destructor(201))) static void then(void) {
    k++;
}

int main(void) {
    return 0;
}
