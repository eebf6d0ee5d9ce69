// EXPECT: false unreach-call LP64
// Two lists are made by one function, and then one is put before the other.
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct node {
  int value;
  struct node *next;
};

static void *allocate(size_t n) {
  void *p = malloc(n);
  if (!p)
    abort();
  return p;
}

static struct node *make(int value, struct node *next) {
  struct node *n = allocate(sizeof *n);
  n->value = value;
  n->next = next;
  return n;
}

int main(void) {
  struct node *kept = make(1, make(2, 0));
  struct node *other = make(7, 0);
  while (__VERIFIER_nondet_int()) {
    other->value = __VERIFIER_nondet_int();
    other = make(__VERIFIER_nondet_int(), kept);
    other->next->value = other->value;
  }
  if (kept->value + kept->next->value != 3)
    reach_error();
}
