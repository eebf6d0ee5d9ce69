/* A reader of INI files, which calls a function for each entry. */
#ifndef INI_H
#define INI_H

#include <stddef.h>

/* Longer names and values are cut off. */
#define INI_MAX_NAME 8
#define INI_MAX_VALUE 16

/* Called for each entry, with the section it is in ("" before the first one). Returns 0 to stop. */
typedef int ini_handler(void *user, const char *section, const char *name, const char *value);

/* Reads `size` bytes of text. Returns 0, or the number of the first line that is wrong or that the handler refused. Lines that are wrong
 * are skipped. */
int ini_parse(const char *text, size_t size, ini_handler *handler, void *user);

#endif
