// EXPECT: true unreach-call LP64
// ASSUMES: a volatile variable of the program changes only where the program writes it
extern void reach_error(void);
volatile int status;
int main(void) {
    int before = status;
    if (status != before)
        reach_error();
    return 0;
}
