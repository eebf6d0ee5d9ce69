// EXPECT: false unreach-call LP64
// NATIVE: no (the structure is defined in no file)
// Another file defines the structure, with as many elements as it likes.
extern void reach_error(void);
struct table {
    int n, rows[];
};
extern struct table table;
static int sum(const struct table *t) {
    int all = 0;
    for (int i = 0; i < t->n; i++)
        all += t->rows[i];
    return all;
}
int main(void) {
    if (table.n == 2 && sum(&table) == 7)
        reach_error();
    return 0;
}
