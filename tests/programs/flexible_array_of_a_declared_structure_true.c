// EXPECT: true unreach-call LP64
// Elements of a flexible array of a declared structure keep what is written.
extern void reach_error(void);
struct table {
    int n, rows[];
};
extern struct table table;
int main(void) {
    table.n = 4;
    table.rows[3] = 7;
    if (table.rows[3] != 7 || table.n != 4)
        reach_error();
    return 0;
}
