/* The command line of a tool with subcommands, in the conventions of POSIX and GNU:
 *
 *     archive [-v] [--] COMMAND [OPTION]... [FILE]...
 *     archive create -o FILE --level=N FILE...
 *     archive list -v FILE
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#define OPTIONS_MAX_FILES 4

enum command { COMMAND_NONE, COMMAND_CREATE, COMMAND_LIST, COMMAND_HELP };

enum option_error {
    OPTION_OK,
    OPTION_UNKNOWN,          /* no such option or command */
    OPTION_NO_ARGUMENT,      /* an option without its argument */
    OPTION_UNEXPECTED,       /* an argument for an option that has none */
    OPTION_BAD_NUMBER,       /* not a number from 0 to 9 */
    OPTION_TOO_MANY,         /* files */
    OPTION_MISSING           /* no command, or no file */
};

struct options {
    enum command command;
    int verbose; /* how often -v was given */
    int level;
    const char *output;
    const char *files[OPTIONS_MAX_FILES];
    int file_count;
    const char *wrong; /* the argument that is wrong, if one is */
};

enum option_error options_parse(struct options *options, int argc, char **argv);

#endif
