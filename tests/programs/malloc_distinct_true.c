// EXPECT: true unreach-call LP64
extern void reach_error(void);

static void check(int holds) {
    if (!holds)
        reach_error();
}

void *malloc(__SIZE_TYPE__ size);
void free(void *block);

int main(void) {
    int *a = malloc(sizeof(int)), *b = malloc(sizeof(int));
    if (a == 0 || b == 0)
        return 0;
    *a = 1;
    *b = 2;
    check(a != b && *a == 1);
    free(a);
    free(b);
    return 0;
}
