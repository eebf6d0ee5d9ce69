#include <sys/wait.h>

// Native runs: the values that a program observes are recorded, and printed when it ends. None has the right to change anything outside its
// own folder.
static int out, n_seen;
static u64 seen[1000];
static void see(u64 x) { seen[n_seen++] = x; }

static void run(int number, void (*program)(void), const char *input, size_t n) {
    if (fork() == 0) {
        char name[32];
        snprintf(name, sizeof name, "run%d", number);
        if (mkdir(name, 0700) != 0 || chdir(name) != 0) _exit(1);
        if (getuid() == 0 && (chmod(".", 0777) != 0 || setgid(65534) != 0 || setuid(65534) != 0)) _exit(1);
        int in = open("input", O_CREAT | O_RDWR, 0600);
        if (write(in, input, n) != n || lseek(in, 0, SEEK_SET) != 0) _exit(1);
        dup2(in, 0);
        dup2(open("/dev/null", O_WRONLY), 1);
        dup2(1, 2);
        close(in);
        alarm(5);
        program();
        dprintf(out, "%x", number);
        for (int i = 0; i < n_seen; i++) dprintf(out, " %llx", seen[i]);
        dprintf(out, "\n");
        _exit(0);
    }
    wait(0);
}

