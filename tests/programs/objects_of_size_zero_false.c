// EXPECT: false unreach-call LP64
// Two objects without bytes may lie at one address.
extern void reach_error(void);
int a[0], b[0];
int main(void) {
    if ((void *)a == (void *)b)
        reach_error();
    return 0;
}
