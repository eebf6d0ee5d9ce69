// EXPECT: false unreach-call LP64
typedef _Bool bools __attribute__((ext_vector_type(4)));
extern void reach_error(void);
int main(void) {
    bools v = {1, 0, 1, 1};
    if (v[0] && !v[1] && v[2] && v[3])
        reach_error();
    return 0;
}
