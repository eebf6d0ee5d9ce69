// EXPECT: false unreach-call LP64
// INPUTS:
extern void reach_error(void);

int main(void) {
    int state = 0;
    for (;;) {
        state++;
        if (state == 5)
            reach_error();
    }
}
