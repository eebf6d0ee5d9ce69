// EXPECT: false unreach-call LP64 UNKNOWN-OK
// NATIVE: no (what is on the stack is the compiler's choice)
// A large structure that is passed by value lies on the stack; a pointer to one is in a register.
extern void reach_error(void);

struct triple {
    long x, y, z;
};

long sum(struct triple t) { return t.x + t.y + t.z; }
long sum_of(struct triple *t) __attribute__((alias("sum")));

static struct triple numbers = {1, 2, 3};

int main(void) {
    long (*volatile by_pointer)(struct triple *) = (long (*)(struct triple *))sum;
    if (by_pointer(&numbers) != 6 || sum_of(&numbers) != 6) {
        reach_error();
    }
}
