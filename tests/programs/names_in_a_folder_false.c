// EXPECT: false unreach-call LP64
// The names in a folder are an input.
#include <dirent.h>
#include <string.h>
extern void reach_error(void);
int main(void) {
    DIR *folder = opendir("mail");
    struct dirent *entry;
    while (folder && (entry = readdir(folder)))
        if (strcmp(entry->d_name, "new") == 0)
            reach_error();
    return 0;
}
