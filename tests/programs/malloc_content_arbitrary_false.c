// EXPECT: false unreach-call LP64
// INPUTS:
// NATIVE: no (depends on fresh memory)
extern void reach_error(void);

void *malloc(__SIZE_TYPE__ size);

int main(void) {
    int *p = malloc(sizeof(int));
    if (p != 0 && *p == 12345)
        reach_error();
    return 0;
}
