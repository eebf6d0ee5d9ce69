// EXPECT: false unreach-call LP64
// A union is copied by the member that it does not hold: the copy holds the same address.
extern void reach_error(void);
union value {
    double number;
    char *text;
};
int main(void) {
    char letter = 'a';
    union value v, w;
    v.text = &letter;
    w.number = v.number;
    *w.text = 'b';
    if (letter == 'b')
        reach_error();
    return 0;
}
