// EXPECT: false unreach-call LP64
// NATIVE: no (a compiled program does not know where the object begins)
// An object becomes arbitrary as a whole, whatever part of it the address is of.
void __CPROVER_assert(_Bool, const char *);
void __CPROVER_havoc_object(void *);
struct pair {
    int first, second;
};
int main(void) {
    struct pair p = {1, 2};
    __CPROVER_havoc_object(&p.second);
    __CPROVER_assert(p.first != 5, "the other member");
    return 0;
}
