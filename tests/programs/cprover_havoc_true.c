// EXPECT: true unreach-call LP64
// Other objects than the one that becomes arbitrary stay as they are.
void __CPROVER_assert(_Bool, const char *);
void __CPROVER_havoc_object(void *);
void __CPROVER_havoc_slice(void *, __SIZE_TYPE__);
int number = 4, another = 5;
int main(void) {
    int local = 3;
    char text[4] = {1, 2, 3, 4};
    __CPROVER_havoc_object(&number);
    __CPROVER_havoc_slice(text, 2);
    __CPROVER_assert(local == 3 && another == 5, "other objects");
    __CPROVER_assert(text[2] == 3 && text[3] == 4, "the rest of the object");
    return 0;
}
