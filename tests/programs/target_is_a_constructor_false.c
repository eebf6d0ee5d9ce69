// EXPECT: false unreach-call LP64
// INPUTS:
// A target that runs before the program is called by the runtime.
__attribute__((constructor)) void reach_error(void) {}
int main(void) { return 0; }
