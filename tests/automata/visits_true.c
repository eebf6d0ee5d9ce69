// EXPECT: true visits.spc LP64
extern int input(void);
static int
twice(int x)
{
    int i = x;
    for (int j = 0; j < 2; j++)
        i += input() ? i + 1 : i; i += (i > 3 && input()) ? 1 : 2;
    return i;
}
int main(void) { return twice(input()); }
