// EXPECT: true unreach-call LP64 UNKNOWN-OK
// No name is empty; none has a slash, which proofs do not know, but no alarm is raised.
#include <dirent.h>
extern void reach_error(void);
int main(void) {
    DIR *folder = opendir("mail");
    struct dirent *entry;
    if (folder && (entry = readdir(folder)) && (entry->d_name[0] == 0 || entry->d_name[1] == '/'))
        reach_error();
    return 0;
}
