// EXPECT: false unreach-call LP64
// ARGS: a b c d e f g h i j
// INPUTS:
// What is known of arguments is about those that main gets, not about what the program puts in their places.
extern void reach_error(void);

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        argv[i] = 0;
    int k = argc - 1;
    if (argc > 10 && !argv[k])
        reach_error();
    return 0;
}
