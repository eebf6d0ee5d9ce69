/* <getopt.h> and <libgen.h>: words of a command line, and parts of paths. */
#include "kerf.h"

struct option {
    const char *name;
    int has_argument;
    int *flag;
    int value;
};
enum { NO_ARGUMENT, REQUIRED_ARGUMENT, OPTIONAL_ARGUMENT };

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

/* Where the next letter of a word is, if one has been read in part. */
static char *next_letter;

/* The words that are no options, of which all from `skipped` to `skipped_end` have been passed over. */
static int skipped, skipped_end;
static int is_begun;

/* The last option with which something was wrong: glibc says it again after each call. */
static int last_wrong;

/* What becomes of words that are no options. */
enum { GO_TO_THE_END, END_THE_OPTIONS, ARE_OPTIONS };

static int is_option(const char *word) { return word[0] == '-' && word[1] != 0; }

/* Moves the options between the words that were passed over and the present one before these words. */
static void move_skipped(char **words) {
    for (; skipped_end < optind; skipped++, skipped_end++) {
        char *option = words[skipped_end];
        for (int i = skipped_end; i > skipped; i--)
            words[i] = words[i - 1];
        words[skipped] = option;
    }
}

/* Something is wrong with an option: a message is printed, unless the program wants none. */
static int wrong_option(int option, int result) {
    last_wrong = option;
    if (opterr)
        __kerf_output_may_have_failed = 1;
    may_set_errno();
    return result;
}

/* The length of the name of a long option. */
static size_t name_length(const char *word) {
    size_t n = 0;
    while (word[n] != 0 && word[n] != '=')
        n++;
    return n;
}

/* The option with this name, or the only one whose name begins so; -1 if there is none, -2 if there are several. */
static int find_option(const char *word, const struct option *options, int only_long) {
    size_t length = name_length(word);
    int found = -1;
    for (int i = 0; options[i].name != NULL; i++) {
        size_t n = 0;
        while (n < length && options[i].name[n] == word[n])
            n++;
        if (n < length)
            continue;
        if (options[i].name[n] == 0)
            return i;
        const struct option *other = found >= 0 ? &options[found] : NULL;
        if (other == NULL)
            found = found == -1 ? i : found;
        else if (only_long || other->has_argument != options[i].has_argument || other->flag != options[i].flag ||
                 other->value != options[i].value)
            found = -2;
    }
    // A name that comes later may be the whole one.
    return found;
}

/* The long option at `word`, the rest of the present word. */
static int long_option(int count, char **words, const char *letters, const struct option *options, int *index,
                       int only_long, char *word) {
    int found = find_option(word, options, only_long);
    next_letter = NULL;
    optind++;
    if (found < 0)
        return wrong_option(0, '?');
    const struct option *option = &options[found];
    size_t length = name_length(word);
    if (word[length] == '=') {
        if (option->has_argument == NO_ARGUMENT)
            return wrong_option(option->value, '?');
        optarg = word + length + 1;
    } else if (option->has_argument == REQUIRED_ARGUMENT) {
        if (optind >= count)
            return wrong_option(option->value, letters[0] == ':' ? ':' : '?');
        optarg = words[optind++];
    }
    if (index != NULL)
        *index = found;
    if (option->flag == NULL)
        return option->value;
    *option->flag = option->value;
    return 0;
}

static const char *find_letter(const char *letters, char c) {
    for (; *letters != 0; letters++)
        if (*letters == c)
            return letters;
    return NULL;
}

/* The next option. Words that are no options go to the end, as in glibc: POSIX, whose getopt ends at the first one, has that only on
 * demand. */
static int get_option(int count, char **words, const char *letters, const struct option *options, int *index,
                      int only_long) {
    if (count < 1)
        return -1;
    optarg = NULL;
    if (optind == 0 || !is_begun) {
        if (optind == 0)
            optind = 1;
        skipped = skipped_end = optind;
        next_letter = NULL;
        is_begun = 1;
    }
    int others = letters[0] == '-' ? ARE_OPTIONS : letters[0] == '+' ? END_THE_OPTIONS : GO_TO_THE_END;
    if (others != GO_TO_THE_END)
        letters++;
    if (next_letter == NULL || *next_letter == 0) {
        // The program may have gone back.
        if (skipped_end > optind)
            skipped_end = optind;
        if (skipped > optind)
            skipped = optind;
        if (others == GO_TO_THE_END) {
            if (skipped == skipped_end)
                skipped = skipped_end = optind;
            move_skipped(words);
            while (optind < count && !is_option(words[optind])) {
                __kerf_assumption("the environment has no variable POSIXLY_CORRECT");
                optind++;
            }
            skipped_end = optind;
        }
        if (optind < count && words[optind][0] == '-' && words[optind][1] == '-' && words[optind][2] == 0) {
            optind++;
            if (skipped == skipped_end)
                skipped = skipped_end = optind;
            move_skipped(words);
            optind = skipped_end = count;
        }
        if (optind >= count) {
            if (skipped != skipped_end)
                optind = skipped;
            return -1;
        }
        if (!is_option(words[optind])) {
            if (others == END_THE_OPTIONS)
                return -1;
            optarg = words[optind++];
            return 1;
        }
        char *word = words[optind] + 1;
        if (options != NULL && word[0] == '-')
            return long_option(count, words, letters, options, index, only_long, word + 1);
        // One dash is enough, unless the word is a letter that is an option, or begins with one and is no long option.
        if (options != NULL && only_long && (word[1] != 0 || find_letter(letters, word[0]) == NULL)) {
            int found = find_option(word, options, only_long);
            if (found != -1 || find_letter(letters, word[0]) == NULL)
                return long_option(count, words, letters, options, index, only_long, word);
        }
        next_letter = word;
    }
    char c = *next_letter++;
    const char *option = find_letter(letters, c);
    if (*next_letter == 0)
        optind++;
    if (option == NULL || c == ':' || c == ';')
        return wrong_option(c, '?');
    if (option[0] == 'W' && option[1] == ';' && options != NULL)
        __kerf_unsupported("the option W of getopt_long");
    if (option[1] != ':')
        return c;
    if (*next_letter != 0) {
        optarg = next_letter;
        optind++;
    } else if (option[2] != ':') {
        if (optind >= count) {
            next_letter = NULL;
            return wrong_option(c, letters[0] == ':' ? ':' : '?');
        }
        optarg = words[optind++];
    }
    next_letter = NULL;
    return c;
}

/* Exact, as in glibc. */
#define NEXT_OPTION(options, index, only_long)                                                 \
    int result = get_option(count, (char **)words, letters, options, index, only_long);        \
    optopt = last_wrong;                                                                        \
    return result
int getopt(int count, char *const *words, const char *letters) { NEXT_OPTION(NULL, NULL, 0); }
int getopt_long(int count, char *const *words, const char *letters, const struct option *options, int *index) {
    NEXT_OPTION(options, index, 0);
}
int getopt_long_only(int count, char *const *words, const char *letters, const struct option *options, int *index) {
    NEXT_OPTION(options, index, 1);
}

/* The index behind the last '/' among the first n bytes; 0 if there is none. */
static size_t behind_slash(const char *path, size_t n) {
    while (n > 0 && path[n - 1] != '/')
        n--;
    return n;
}

/* n without the slashes that end there. */
static size_t before_slashes(const char *path, size_t n) {
    while (n > 0 && path[n - 1] == '/')
        n--;
    return n;
}

static size_t length_of(const char *text) {
    size_t n = 0;
    while (text[n] != 0)
        n++;
    return n;
}

/* Exact: the GNU version leaves the path as it is. */
char *basename(const char *path) { return (char *)path + behind_slash(path, length_of(path)); }

static char this_folder[] = ".";

/* Exact: the POSIX version ends the path before slashes at its end. */
char *__xpg_basename(char *path) {
    if (path == NULL || path[0] == 0)
        return this_folder;
    size_t n = length_of(path), end = before_slashes(path, n);
    // Of slashes alone, the last one remains.
    if (end == 0)
        return path + n - 1;
    if (end < n)
        path[end] = 0;
    return path + behind_slash(path, end);
}

/* Exact; two slashes at the beginning may mean something else than one. */
char *dirname(char *path) {
    if (path == NULL || path[0] == 0)
        return this_folder;
    size_t end = behind_slash(path, before_slashes(path, length_of(path)));
    if (end == 0 && path[0] != '/')
        return this_folder;
    size_t before = before_slashes(path, end);
    if (before == 0) {
        size_t slashes = 0;
        while (path[slashes] == '/')
            slashes++;
        before = slashes == 2 && !otherwise() ? 2 : 1;
    }
    path[before] = 0;
    return path;
}
