// EXPECT: false unreach-call LP64
// The argument of an option may look like an option.
#include <string.h>
#include <unistd.h>

extern void reach_error(void);

int main(void) {
    char *words[] = {"tool", "-o", "-v", 0};
    while (1) {
        int option = getopt(3, words, "vo:");
        if (option == -1)
            break;
        if (option == 'o' && optarg[0] == '-')
            reach_error();
    }
    return 0;
}
