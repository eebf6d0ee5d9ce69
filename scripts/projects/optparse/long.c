// EXPECT: true
// FILES:
// OPTIONS: -I.
/* A long option of any four characters is found exactly if it is the name, or the name with an argument. */
#define OPTPARSE_IMPLEMENTATION
#include "optparse.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
    static const struct optparse_long known[] = {{"go", 'g', OPTPARSE_OPTIONAL}, {"up", 'u', OPTPARSE_NONE}, {0}};
    char text[7] = "--";
    char *arguments[] = {"program", text, 0};
    struct optparse options;
    for (int i = 2; i < 6; i++)
        text[i] = __VERIFIER_nondet_char();
    if (!text[2])
        return 0;
    optparse_init(&options, arguments);
    int option = optparse_long(&options, known, 0);
    int go = text[2] == 'g' && text[3] == 'o' && (!text[4] || text[4] == '=');
    int up = text[2] == 'u' && text[3] == 'p' && !text[4];
    if (option != (go ? 'g' : up ? 'u' : '?') || options.optind != 2)
        reach_error();
    if (go && options.optarg != (text[4] ? &text[5] : 0))
        reach_error();
    return 0;
}
