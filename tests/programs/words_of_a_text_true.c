// EXPECT: true unreach-call LP64
// A text of any eight characters has far more paths than states of the tokenizer that differ in what steers it.
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

enum { LENGTH = 8 };
enum kind { WORD = 1, NUMBER, SIGN };

struct token {
    int kind, start, end;
};

struct tokens {
    struct token all[LENGTH];
    int count;
};

static int is_letter(char c) { return c >= 'a' && c <= 'z'; }
static int is_digit(char c) { return c >= '0' && c <= '9'; }

static void add(struct tokens *t, enum kind kind, int start, int end) {
    struct token *token = &t->all[t->count++];
    token->kind = kind;
    token->start = start;
    token->end = end;
}

static int tokenize(struct tokens *t, const char *text) {
    t->count = 0;
    int i = 0;
    while (i < LENGTH && text[i]) {
        int start = i;
        char c = text[i++];
        if (c == ' ')
            continue;
        if (is_letter(c)) {
            while (i < LENGTH && (is_letter(text[i]) || is_digit(text[i])))
                i++;
            add(t, WORD, start, i);
        } else if (is_digit(c)) {
            while (i < LENGTH && is_digit(text[i]))
                i++;
            add(t, NUMBER, start, i);
        } else if (c == '+' || c == '-') {
            add(t, SIGN, start, i);
        } else {
            return -1;
        }
    }
    return t->count;
}

int main(void) {
    char text[LENGTH];
    for (int i = 0; i < LENGTH; i++)
        text[i] = __VERIFIER_nondet_char();
    struct tokens t;
    int count = tokenize(&t, text);
    for (int i = 0; i < count; i++) {
        struct token *token = &t.all[i];
        if (token->start < 0 || token->start >= token->end || token->end > LENGTH)
            reach_error();
        if (token->kind == SIGN && token->end != token->start + 1)
            reach_error();
    }
    return 0;
}
