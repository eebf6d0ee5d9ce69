#include "options.h"

#include <stddef.h>
#include <string.h>

struct option {
    char letter;
    const char *name;
    int has_argument;
};

static const struct option known[] = {
    {'v', "verbose", 0},
    {'o', "output", 1},
    {'l', "level", 1},
    {'h', "help", 0},
};

#define KNOWN (sizeof known / sizeof *known)

static const struct option *by_letter(char letter) {
    for (size_t i = 0; i < KNOWN; i++) {
        if (known[i].letter == letter)
            return &known[i];
    }
    return NULL;
}

static const struct option *by_name(const char *name, size_t length) {
    for (size_t i = 0; i < KNOWN; i++) {
        if (strncmp(known[i].name, name, length) == 0 && known[i].name[length] == '\0')
            return &known[i];
    }
    return NULL;
}

static enum option_error parse_level(struct options *options, const char *text) {
#ifdef BUG_LEVEL
    if (text[0] < '0' || text[0] > '9')
#else
    if (text[0] < '0' || text[0] > '9' || text[1] != '\0')
#endif
        return OPTION_BAD_NUMBER;
    options->level = 0;
    for (; *text; text++)
        options->level = 10 * options->level + (*text - '0');
    return OPTION_OK;
}

static enum option_error apply(struct options *options, const struct option *option, const char *argument) {
    switch (option->letter) {
    case 'v':
        options->verbose++;
        return OPTION_OK;
    case 'o':
        options->output = argument;
        return OPTION_OK;
    case 'l':
        return parse_level(options, argument);
    default:
        options->command = COMMAND_HELP;
        return OPTION_OK;
    }
}

/* Parses `--name`, `--name=argument` or `--name argument` at `*i`. */
static enum option_error parse_long(struct options *options, int argc, char **argv, int *i) {
    const char *name = argv[*i] + 2, *equals = strchr(name, '=');
    const struct option *option = by_name(name, equals ? (size_t)(equals - name) : strlen(name));
    if (!option)
        return OPTION_UNKNOWN;
    if (!option->has_argument)
        return equals ? OPTION_UNEXPECTED : apply(options, option, NULL);
    if (equals)
        return apply(options, option, equals + 1);
#ifndef BUG_LAST_ARGUMENT
    if (*i + 1 >= argc)
        return OPTION_NO_ARGUMENT;
#endif
    return apply(options, option, argv[++*i]);
}

/* Parses letters, the last of which may have an argument: `-v`, `-vv`, `-ofile`, `-o file`. */
static enum option_error parse_letters(struct options *options, int argc, char **argv, int *i) {
    for (const char *at = argv[*i] + 1; *at; at++) {
        const struct option *option = by_letter(*at);
        if (!option)
            return OPTION_UNKNOWN;
        if (option->has_argument) {
            if (at[1] != '\0')
                return apply(options, option, at + 1);
            if (*i + 1 >= argc)
                return OPTION_NO_ARGUMENT;
            return apply(options, option, argv[++*i]);
        }
        enum option_error error = apply(options, option, NULL);
        if (error != OPTION_OK)
            return error;
    }
    return OPTION_OK;
}

static enum option_error parse_word(struct options *options, const char *word) {
    if (options->command == COMMAND_NONE) {
        if (strcmp(word, "create") == 0)
            options->command = COMMAND_CREATE;
        else if (strcmp(word, "list") == 0)
            options->command = COMMAND_LIST;
        else if (strcmp(word, "help") == 0)
            options->command = COMMAND_HELP;
        else
            return OPTION_UNKNOWN;
        return OPTION_OK;
    }
#ifdef BUG_TOO_MANY
    if (options->file_count > OPTIONS_MAX_FILES)
#else
    if (options->file_count >= OPTIONS_MAX_FILES)
#endif
        return OPTION_TOO_MANY;
    options->files[options->file_count++] = word;
    return OPTION_OK;
}

enum option_error options_parse(struct options *options, int argc, char **argv) {
    int only_words = 0;
    memset(options, 0, sizeof *options);
    options->level = 6;
    for (int i = 1; i < argc; i++) {
        const char *argument = argv[i];
        enum option_error error = OPTION_OK;
        if (only_words || argument[0] != '-' || argument[1] == '\0')
            error = parse_word(options, argument);
        else if (strcmp(argument, "--") == 0)
            only_words = 1;
        else if (argument[1] == '-')
            error = parse_long(options, argc, argv, &i);
        else
            error = parse_letters(options, argc, argv, &i);
        if (error != OPTION_OK) {
            options->wrong = argument;
            return error;
        }
    }
    if (options->command == COMMAND_HELP)
        return OPTION_OK;
    if (options->command == COMMAND_NONE || options->file_count == 0)
        return OPTION_MISSING;
    return OPTION_OK;
}
