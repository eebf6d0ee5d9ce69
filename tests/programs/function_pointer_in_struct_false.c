// EXPECT: false unreach-call LP64
// INPUTS: 5 1
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern int __VERIFIER_nondet_int(void);

struct device {
    int state;
    void (*step)(struct device *);
};

static void up(struct device *d) { d->state++; }
static void fail(struct device *d) {
    if (d->state == 6)
        reach_error();
}

int main(void) {
    struct device d = {__VERIFIER_nondet_int(), up};
    d.step(&d);
    if (__VERIFIER_nondet_bool())
        d.step = fail;
    d.step(&d);
    return 0;
}
