// EXPECT: true
// FILES: source/core_json.c
// OPTIONS: -Isource/include
/* Any five characters: what is valid begins as a value does, behind blanks. */
#include "core_json.h"
extern void reach_error(void);
extern char __VERIFIER_nondet_char(void);

#ifndef LENGTH
#define LENGTH 5
#endif

int main(void) {
    char text[LENGTH];
    for (int i = 0; i < LENGTH; i++)
        text[i] = __VERIFIER_nondet_char();
    if (JSON_Validate(text, LENGTH) == JSONSuccess) {
        int i = 0;
        while (i < LENGTH && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r'))
            i++;
        if (i == LENGTH)
            reach_error();
        char c = text[i];
        if (c != '{' && c != '[' && c != '"' && c != 't' && c != 'f' && c != 'n' && c != '-' && !(c >= '0' && c <= '9'))
            reach_error();
    }
    return 0;
}
