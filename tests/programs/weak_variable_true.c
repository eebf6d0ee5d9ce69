// EXPECT: true unreach-call LP64
extern void reach_error(void);
extern int setting __attribute__((weak));

int main(void) {
    if (&setting) {
        setting = 4;
        if (setting != 4)
            reach_error();
    }
    return 0;
}
