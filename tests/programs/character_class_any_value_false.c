// EXPECT: false unreach-call LP64
// INPUTS:
// NATIVE: no (which value but 0 stands for yes is the library's choice)
extern void reach_error(void);
int isalpha(int c);

int main(void) {
    if (isalpha('a') != 1)
        reach_error();
    return 0;
}
