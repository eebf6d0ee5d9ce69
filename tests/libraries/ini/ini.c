#include "ini.h"

#include <string.h>

struct span {
    const char *start, *end;
};

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static struct span trim(struct span s) {
    while (s.start < s.end && is_blank(*s.start))
        s.start++;
#ifdef BUG_TRIM
    while (is_blank(s.end[-1]))
#else
    while (s.end > s.start && is_blank(s.end[-1]))
#endif
        s.end--;
    return s;
}

/* Copies a part of the text into an array of `room` bytes, as much as fits. */
static void copy(char *to, size_t room, struct span s) {
    size_t length = s.end - s.start;
#ifdef BUG_LONG_NAME
    if (length > room)
        length = room;
#else
    if (length >= room)
        length = room - 1;
#endif
    memcpy(to, s.start, length);
    to[length] = '\0';
}

static const char *find(struct span s, char c) {
    while (s.start < s.end && *s.start != c)
        s.start++;
    return s.start;
}

/* Removes a comment that begins with a semicolon after a blank. */
static struct span without_comment(struct span s) {
    for (const char *at = s.start; at < s.end; at++) {
        if (*at == ';' && at > s.start && is_blank(at[-1])) {
            s.end = at;
            break;
        }
    }
    return s;
}

struct entry {
    char section[INI_MAX_NAME];
    char name[INI_MAX_NAME];
    char value[INI_MAX_VALUE];
};

/* Returns whether the line is right and the handler content. */
static int parse_line(struct span line, struct entry *entry, ini_handler *handler, void *user) {
    line = trim(line);
    if (line.start == line.end || *line.start == ';' || *line.start == '#')
        return 1;
    if (*line.start == '[') {
        struct span name = {line.start + 1, find(line, ']')};
        if (name.end == line.end)
            return 0;
        copy(entry->section, sizeof entry->section, trim(name));
        return 1;
    }
    const char *equals = find(line, '=');
    if (equals == line.end || equals == line.start)
        return 0;
    struct span name = {line.start, equals}, value = {equals + 1, line.end};
    copy(entry->name, sizeof entry->name, trim(name));
    copy(entry->value, sizeof entry->value, trim(without_comment(value)));
    return handler(user, entry->section, entry->name, entry->value) != 0;
}

int ini_parse(const char *text, size_t size, ini_handler *handler, void *user) {
    struct entry entry = {"", "", ""};
    const char *end = text + size;
    int line = 1, wrong = 0;
#ifdef BUG_LAST_LINE
    for (const char *at = text; find((struct span){at, end}, '\n') != end; line++) {
#else
    for (const char *at = text; at < end; line++) {
#endif
        const char *stop = find((struct span){at, end}, '\n');
        if (!parse_line((struct span){at, stop}, &entry, handler, user) && wrong == 0)
            wrong = line;
        at = stop < end ? stop + 1 : end;
    }
    return wrong;
}
