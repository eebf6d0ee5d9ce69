// EXPECT: true unreach-call LP64
/* Messages by number: no more paths than messages, whatever is done with their texts. */
#include <string.h>

extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static const char *const messages[] = {
    "no error",
    "operation not permitted",
    "no such file or directory",
    "no such process",
    "interrupted call",
    "input or output error",
    "no such device",
    "argument list too long",
    "executable format error",
    "bad file descriptor",
    "no child processes",
    "try again",
    "out of memory",
    "permission denied",
    "bad address",
    "block device required",
    "device or resource busy",
    "file exists",
    "invalid link across devices",
    "no device",
    "not a directory",
    "is a directory",
    "invalid argument",
    "file table overflow",
    "too many open files",
    "no terminal",
    "text file busy",
    "file too large",
    "no space left on device",
    "illegal seek",
    "read-only file system",
    "too many links",
};

static const char *message(unsigned number) {
    return number < sizeof messages / sizeof *messages ? messages[number] : "unknown error";
}

int main(void) {
    const char *text = message(__VERIFIER_nondet_uint());
    if (strlen(text) > 27)
        reach_error();
    return 0;
}
