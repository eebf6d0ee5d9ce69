// EXPECT: false unreach-call LP64
// INPUTS:
// NATIVE: no (more arguments than a shell passes)
extern void reach_error(void);
int main(int argc, char **argv) {
    if (argc == 300000)
        reach_error();
    return 0;
}
