// EXPECT: true unreach-call LP64
// A record is a length, text of this length and pointers to other records, which are copied behind it and back.
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);

static unsigned char *grown(unsigned char *record, size_t bytes) {
    record = realloc(record, bytes);
    if (!record)
        exit(1);
    return record;
}

static unsigned char *attach(unsigned char *record, unsigned char *child) {
    record = grown(record, 1 + record[0] + sizeof child);
    memcpy(record + 1 + record[0], &child, sizeof child);
    return record;
}

static unsigned char *child(unsigned char *record) {
    unsigned char *found;
    memcpy(&found, record + 1 + record[0], sizeof found);
    return found;
}

static unsigned char *text(const char *letters) {
    size_t length = strlen(letters);
    unsigned char *record = grown(NULL, 1 + length);
    record[0] = (unsigned char)length;
    memcpy(record + 1, letters, length);
    return record;
}

int main(void) {
    unsigned char *leaf = text("xy"), *root = attach(text("a"), leaf);
    unsigned char *longer = grown(child(root), 4);
    longer[3] = 'z';
    if (longer[0] != 2 || longer[1] != 'x' || longer[2] != 'y' || root[1] != 'a')
        reach_error();
    return 0;
}
