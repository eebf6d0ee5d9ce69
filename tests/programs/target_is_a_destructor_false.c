// EXPECT: false unreach-call LP64
// INPUTS:
// A target that runs when the program ends is called by the runtime.
__attribute__((destructor)) void reach_error(void) {}
int main(void) { return 0; }
