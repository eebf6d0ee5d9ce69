// EXPECT: true unreach-call LP64
// NATIVE: gnu89

int main() {
    int x = __VERIFIER_nondet_int();
    if (x != x)
        reach_error();
    return twice(x & 255) % 2;
}

int twice(int n) { return 2 * n; }
