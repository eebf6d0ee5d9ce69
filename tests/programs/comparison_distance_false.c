// EXPECT: false unreach-call LP64 UNKNOWN-OK
// INPUTS:
// NATIVE: no (which number of that sign is the library's choice)
extern void reach_error(void);
int strcmp(const char *a, const char *b);

int main(void) {
    if (strcmp("b", "a") != 1)
        reach_error();
    return 0;
}
