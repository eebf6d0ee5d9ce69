//! Calls about time, the process, files by number, the environment.

use super::call::Call;
use super::values::{int, quoted, text};
use kerf_testing::Random;

/// Seconds since 1970: near now, far away, negative.
fn moment(random: &mut Random) -> String {
    match random.below(4) {
        0 => "0l".into(),
        1 => format!("{}l", random.word() as i32),
        2 => format!("{}l", random.word() as i64 >> 20),
        _ => format!("{}l", random.word() as i64),
    }
}

/// Observes the fields of the date `d`.
fn fields(call: Call) -> Call {
    let names = ["sec", "min", "hour", "mday", "mon", "year", "wday", "yday", "isdst"];
    let call = names.iter().fold(call, |call, name| call.see(format!("d == NULL ? 0 : d->tm_{name}")));
    call.see("d == NULL ? 0 : d->tm_gmtoff").see("d == NULL ? 0 : d->tm_zone[0]")
}

/// Times and delays.
pub(super) fn clocks(random: &mut Random, name: &str) -> Call {
    let call = Call::default();
    match name {
        "time" => call.line("long now = 7;").call("long r = time(&now);").see("r").see("now"),
        "clock" => call.call("long r = clock();").see("r"),
        "difftime" => call.call(format!("double r = difftime({}, {});", moment(random), moment(random))).see("bits(r)"),
        "gettimeofday" => call
            .line("struct timeval v; int zone[2];")
            .call("int r = gettimeofday(&v, zone);")
            .see("r")
            .see("v.tv_sec")
            .see("v.tv_usec")
            .see("zone[0]"),
        "clock_gettime" => {
            let which = random.pick(&["CLOCK_REALTIME", "CLOCK_MONOTONIC", "1234", "CLOCK_PROCESS_CPUTIME_ID"]);
            call.line("struct timespec v = {7, 8};")
                .call(format!("int r = clock_gettime({which}, &v);"))
                .see("r")
                .see("v.tv_sec")
                .see("v.tv_nsec")
        }
        _ => {
            let wait = match name {
                "sleep" => "sleep(0)".into(),
                "usleep" => format!("usleep({})", random.pick(&["0", "1"])),
                "sched_yield" => "sched_yield()".into(),
                _ => {
                    let wanted = random.pick(&["{0, 1}", "{0, 1000000000}", "{-1, 0}"]);
                    format!("nanosleep(&(struct timespec){wanted}, NULL)")
                }
            };
            call.call(format!("int r = {wait};")).see("r")
        }
    }
}

/// Dates.
pub(super) fn dates(random: &mut Random, name: &str) -> Call {
    let t = moment(random);
    let call = Call::default().line(format!("time_t t = {t};"));
    match name {
        "gmtime" | "localtime" => fields(call.call(format!("struct tm *d = {name}(&t);")).see("d == NULL")),
        "gmtime_r" | "localtime_r" => {
            let call = call.line("struct tm memory;").call(format!("struct tm *d = {name}(&t, &memory);"));
            fields(call.see("d == NULL"))
        }
        "mktime" => {
            let one = |random: &mut Random| {
                if random.one_in(2) { ({ random.below(80) } - 20).to_string() } else { int(random) }
            };
            let parts: Vec<String> = (0..6).map(|_| one(random)).collect();
            let call = call
                .line(format!("struct tm memory = {{{}}}, *d = &memory;", parts.join(", ")))
                .line("memory.tm_zone = \"x\";")
                .call("long r = mktime(d);");
            fields(call.see("r"))
        }
        "ctime" => call.call("char *r = ctime(&t);").see("r == NULL").see("r == NULL ? 0 : word(r)"),
        _ => {
            let year = random.pick(&["100", "7000", "-900", "0", "99"]);
            call.line(format!("struct tm d = {{1, 2, 3, 4, {}, {year}}};", random.below(13)))
                .call("char *r = asctime(&d);")
                .see("r == NULL")
                .see("r == NULL ? 0 : word(r)")
                .see("r == NULL ? 0 : strlen(r)")
        }
    }
}

/// Dates as texts.
pub(super) fn formatted_dates(random: &mut Random, _: &str) -> Call {
    let format = random.pick(&["%Y", "%H:%M", "%%", "", "%A", "%j%c", "%Z"]);
    Call::default()
        .line("char to[16] = \"ZZZZZZZZZZZZZZZ\"; struct tm d = {1, 2, 3, 4, 5, 100, 0, 7};")
        .call(format!("size_t r = strftime(to, {}, \"{format}\", &d);", random.below(16)))
        .see("r")
        .see_memory("to", 16)
}

/// The numbers of the process, its user and its group.
pub(super) fn processes(_: &mut Random, name: &str) -> Call {
    Call::new(format!("long r = {name}();")).see("r").see(format!("r == {name}()"))
}

/// Files by number.
pub(super) fn files(random: &mut Random, name: &str) -> Call {
    // Calls change the run's own folder at most.
    let path = random.pick(&["\"f\"", "\"nowhere/f\"", "\"d\"", "\"g\"", "\"\""]);
    let handle = random.pick(&["0", "1", "77", "-1"]);
    let call = Call::default().line("close(open(\"f\", O_CREAT | O_RDWR, 0600)); mkdir(\"d\", 0700);");
    let value = match name {
        "open" => {
            let flags = random.pick(&["O_RDONLY", "O_RDWR", "O_WRONLY | O_CREAT, 0600", "O_RDONLY | O_DIRECTORY"]);
            return call.call(format!("int r = open({path}, {flags});")).see("r").see("open(\"f\", O_RDONLY)");
        }
        "write" => format!("write({}, \"abc\", {})", random.pick(&["1", "1", "77"]), random.below(4)),
        "close" | "isatty" => format!("{name}({handle})"),
        "lseek" => format!("lseek({}, {}, SEEK_SET)", random.pick(&["0", "77"]), random.below(9) - 2),
        "access" => format!("access({path}, {})", random.below(8)),
        "mkdir" => format!("mkdir({path}, 0700)"),
        _ => format!("{name}({path})"),
    };
    call.call(format!("long r = {value};")).see("r")
}

/// Descriptors, the status of files, the present folder.
pub(super) fn more_files(random: &mut Random, name: &str) -> Call {
    let path = random.pick(&["\"f\"", "\"nowhere/f\"", "\"d\"", "\"\""]);
    let handle = random.pick(&["0", "1", "77", "-1"]);
    let call = Call::default().line("close(open(\"f\", O_CREAT | O_RDWR, 0600)); mkdir(\"d\", 0700);");
    let value = match name {
        "fcntl" | "fcntl64" => {
            let command = random.pick(&["F_GETFD", "F_GETFL", "F_DUPFD, 5", "F_SETFD, FD_CLOEXEC"]);
            format!("{name}({handle}, {command})")
        }
        "dup" => format!("dup({handle})"),
        "dup2" => format!("dup2({handle}, {})", random.pick(&["9", "-1"])),
        "pipe" => "({ int ends[2]; pipe(ends) == 0 ? ends[0] * 100 + ends[1] : -1; })".into(),
        "getcwd" => {
            let size = random.pick(&["0", "1", "3", "4000"]);
            return call
                .line("char to[4000];")
                .call(format!("char *r = getcwd(to, {size});"))
                .see("r == NULL")
                .see("r == NULL ? 0 : r[0]");
        }
        "fsync" | "fdatasync" => format!("{name}({handle})"),
        "ftruncate" | "ftruncate64" => format!("{name}({handle}, {})", random.pick(&["0", "-1"])),
        "truncate" | "truncate64" => format!("{name}({path}, {})", random.pick(&["0", "-1"])),
        "chmod" | "mkfifo" => format!("{name}({path}, 0700)"),
        "chown" | "lchown" => format!("{name}({path}, getuid(), getgid())"),
        "fchown" => format!("fchown({handle}, -1, -1)"),
        "fchmod" => format!("fchmod({handle}, 0600)"),
        "flock" => format!("flock({handle}, LOCK_UN)"),
        "link" | "symlink" => format!("{name}({path}, {})", random.pick(&["\"l\"", "\"d\"", "\"\""])),
        "utime" => format!("utime({path}, NULL)"),
        "utimes" => format!("utimes({path}, {})", random.pick(&["NULL", "(struct timeval[]){{1, 0}, {2, 0}}"])),
        "pread" | "pread64" | "pwrite" | "pwrite64" => {
            let (n, at) = (random.below(5), random.below(4) - 1);
            return call
                .line("char to[8] = \"abcdefg\"; int file = open(\"f\", O_RDWR); if (write(file, \"xyz\", 3)) {}")
                .call(format!("long r = {name}({}, to, {n}, {at});", random.pick(&["file", "77", "-1"])))
                .see("r")
                .see("word(to)")
                .line("close(file);");
        }
        "readlink" => {
            return call
                .line("char to[8] = \"abcdefg\"; if (symlink(\"target\", \"l\")) {}")
                .call(format!("long r = readlink({}, to, {});", random.pick(&["\"l\"", "\"f\""]), random.below(8)))
                .see("r")
                .see("word(to)");
        }
        "realpath" => {
            let to = random.pick(&["NULL", "memory"]);
            return call
                .line("char memory[4096] = \"?\";")
                .call(format!("char *r = realpath({path}, {to});"))
                .see("r == NULL")
                .see("r == memory")
                .see("r == NULL ? 0 : r[0]");
        }
        "mkstemp" | "mkostemp" | "mkdtemp" => {
            let template = random.pick(&["\"aXXXXXX\"", "\"XXXXXX\"", "\"aXXXXX\"", "\"nowhere/XXXXXX\""]);
            let flags = if name == "mkostemp" { ", O_APPEND" } else { "" };
            return call
                .line(format!("char to[] = {template};"))
                .call(format!("long r = (long){name}(to{flags});"))
                .see(if name == "mkdtemp" { "r == (long)to" } else { "r" })
                .see("strlen(to)")
                .see("to[0]");
        }
        _ => {
            let of = if name.starts_with('f') { handle } else { path };
            let status = if name.ends_with("64") { "struct stat64" } else { "struct stat" };
            format!("({{ {status} s; {name}({of}, &s); }})")
        }
    };
    call.call(format!("long r = {value};")).see("r")
}

/// What the system says about processes and limits.
pub(super) fn questions(random: &mut Random, name: &str) -> Call {
    let call = Call::default();
    let value = match name {
        "umask" => "umask(022) * 1000 + umask(077)".into(),
        "sysconf" => {
            let which = random.pick(&["_SC_PAGESIZE", "_SC_OPEN_MAX", "-5", "_SC_NPROCESSORS_ONLN"]);
            format!("sysconf({which})")
        }
        "getpgid" | "getsid" => format!("{name}({}) > 0", random.pick(&["0", "-1"])),
        "getpgrp" | "setsid" | "getpagesize" => format!("{name}() > 0"),
        "setpgid" => "setpgid(0, 0)".into(),
        "wait" => return call.line("int status = 7;").call("int r = wait(&status);").see("r").see("status"),
        "waitpid" => {
            let options = random.pick(&["0", "WNOHANG"]);
            return call
                .line("int status = 7;")
                .call(format!("int r = waitpid(-1, &status, {options});"))
                .see("r")
                .see("status");
        }
        "poll" => {
            let (first, wanted) = (random.pick(&["0", "1", "-1", "77"]), random.pick(&["POLLIN", "POLLOUT", "0"]));
            return call
                .line(format!("struct pollfd all[2] = {{{{{first}, {wanted}, 5}}, {{-1, 0, 6}}}};"))
                .call(format!("int r = poll(all, {}, 0);", random.below(3)))
                .see("r")
                .see("all[0].revents")
                .see("all[1].revents");
        }
        "getrlimit" => {
            "({ struct rlimit a = {7, 8}; getrlimit(RLIMIT_NOFILE, &a) == 0 ? (long)(a.rlim_cur / 2) : -1; })".into()
        }
        "setrlimit" => "({ struct rlimit a; getrlimit(RLIMIT_CORE, &a); setrlimit(RLIMIT_CORE, &a); })".into(),
        "getrusage" => "({ struct rusage a; getrusage(RUSAGE_SELF, &a); })".into(),
        "times" => "({ struct tms a; times(&a) != -1; })".into(),
        "gethostname" => {
            let size = random.pick(&["0", "1", "8", "64"]);
            format!("({{ char to[64] = \"?\"; gethostname(to, {size}) == 0 ? to[0] : -1; }})")
        }
        "getrandom" => format!("({{ char to[8] = \"abcdefg\"; getrandom(to, {}, 0) + to[7]; }})", random.below(8)),
        "getentropy" => {
            format!("({{ char to[300] = {{0}}; getentropy(to, {}) + to[299]; }})", random.pick(&["0", "9", "299"]))
        }
        _ => {
            format!("kill({})", random.pick(&["getpid(), 0", "getpid(), SIGCHLD", "getpid(), 99", "1, 0", "-1, -1"]))
        }
    };
    call.call(format!("long r = {value};")).see("r")
}

/// The format of numbers.
pub(super) fn locale(_: &mut Random, _: &str) -> Call {
    Call::new("struct lconv *r = localeconv();")
        .see("r->decimal_point[0]")
        .see("r->thousands_sep[0]")
        .see("r->frac_digits")
        .see("r->int_n_sign_posn")
}

/// Options of a command line.
pub(super) fn options(random: &mut Random, name: &str) -> Call {
    let all =
        ["-a", "-b", "-bx", "-ab", "-cx", "x", "y", "-", "--", "--out=1", "--ou", "--o", "--on", "--none", "-out"];
    let words: Vec<String> = (0..4).map(|_| format!("\"{}\"", random.pick(&all))).collect();
    let letters = random.pick(&["ab:c::", "+ab:", "-ab:", ":ab:", "a"]);
    let call = Call::default()
        .line(format!("char *words[] = {{\"tool\", {}, NULL}}; int r, index = -1, flag = 0;", words.join(", ")))
        .line("struct option long_ones[] = {{\"out\", 1, NULL, 'o'}, {\"only\", 0, &flag, 5}, {\"one\", 2, NULL, 'n'}, {0}};")
        .line("optind = 0; opterr = 0; optopt = 0;");
    let next = match name {
        "getopt" => format!("r = getopt(5, words, \"{letters}\");"),
        _ => format!("r = {name}(5, words, \"{letters}\", long_ones, &index);"),
    };
    let call = (0..4).fold(call, |call, _| {
        let call = call.call(next.clone()).see("r").see("optind").see("optopt");
        call.see("optarg == NULL ? -1 : optarg[0]")
    });
    call.see("index").see("flag").see("words[1][1]").see("words[4][1]")
}

/// The environment, other programs.
pub(super) fn environment(random: &mut Random, name: &str) -> Call {
    let variable = random.pick(&["\"HOME\"", "\"NOWHERE\"", "\"A\"", "\"\"", "\"A=B\""]);
    let call = Call::default();
    match name {
        "getenv" | "secure_getenv" => call
            .line("setenv(\"A\", \"b\", 1);")
            .call(format!("char *r = {name}({variable});"))
            .see("r == NULL")
            .see("r == NULL ? 0 : r[0]")
            .see("r == NULL ? 0 : strlen(r)"),
        "setenv" => call.call(format!("int r = setenv({variable}, \"c\", 0);")).see("r"),
        "unsetenv" => call.call(format!("int r = unsetenv({variable});")).see("r"),
        "system" => {
            let command = random.pick(&["NULL", "\"exit 3\"", "\"kill -9 $$\"", "\"true\""]);
            call.call(format!("int r = system({command});")).see("r")
        }
        "setlocale" => {
            let locale = random.pick(&["NULL", "\"C\"", "\"POSIX\"", "\"\"", "\"xx_YY\""]);
            call.call(format!("char *r = setlocale(LC_ALL, {locale});")).see("r == NULL").see("r == NULL ? 0 : r[0]")
        }
        _ => call.line("int r = 9;").call("r = atexit(nothing);").see("r"),
    }
}

/// Bytes in the order of the network.
pub(super) fn byte_order(random: &mut Random, name: &str) -> Call {
    Call::new(format!("unsigned r = ({name})({});", int(random))).see("r")
}

/// The number of a signal, or no such number.
fn signal_number(random: &mut Random) -> &'static str {
    random.pick(&["SIGUSR1", "SIGUSR2", "SIGINT", "34", "0", "33", "64", "65", "-1"])
}

/// Sets of signals.
pub(super) fn signal_sets(random: &mut Random, name: &str) -> Call {
    let begin = random.pick(&["sigemptyset", "sigfillset"]);
    let call = Call::default().line(format!("sigset_t set; {begin}(&set);"));
    let value = match name {
        "sigemptyset" | "sigfillset" => format!("({name})(&set)"),
        _ => format!("({name})(&set, {})", signal_number(random)),
    };
    call.call(format!("int r = {value};")).see("r").see_memory("(char *)&set", 8)
}

/// What signals do.
pub(super) fn signals(random: &mut Random, name: &str) -> Call {
    let actions = ["SIG_IGN", "handler", "other_handler", "SIG_DFL"];
    let number = random.pick(&["SIGUSR1", "SIGUSR2", "SIGCHLD", "34", "33", "65", "SIGKILL"]);
    // Earlier calls leave nothing behind.
    let mut call = Call::default()
        .line(format!("int r = 0; sigset_t set; sigemptyset(&set); handled = 0; signal({number}, SIG_DFL);"))
        .line("sigprocmask(SIG_SETMASK, &set, NULL); sigaddset(&set, SIGUSR2);");
    for _ in 0..2 {
        let action = random.pick(&actions[..3]);
        call = match name {
            "sigaction" => {
                let flags = random.pick(&["0", "SA_RESETHAND", "SA_NODEFER", "SA_RESTART"]);
                call.line(format!("struct sigaction s = {{.sa_handler = {action}, .sa_flags = {flags}}}, old = {{0}};"))
                    .call(format!("r = sigaction({number}, &s, &old);"))
                    .see("r")
                    .see("old.sa_handler == handler")
                    .line("{")
            }
            _ => call
                .call(format!("void (*old)(int) = signal({number}, {action});"))
                .see("old == SIG_ERR")
                .see("old == handler")
                .line("{"),
        };
    }
    let call = match name {
        "sigprocmask" | "pthread_sigmask" => {
            let how = random.pick(&["SIG_BLOCK", "SIG_UNBLOCK", "SIG_SETMASK", "7"]);
            call.call(format!("r = {name}({how}, &set, NULL);")).see("r").call(format!("r = {name}(0, NULL, &set);"))
        }
        // Whatever else it does would end the program.
        _ => call.call(format!("if (signal({number}, handler) == other_handler) r = raise({number});")),
    };
    call.see("r").see("sigismember(&set, SIGUSR2)").see("handled").line("} }")
}

/// Mutexes of all kinds: no call waits.
pub(super) fn mutexes(random: &mut Random, _: &str) -> Call {
    let kind = random.pick(&["0", "1", "2", "3", "4", "-1"]);
    let call = Call::default()
        .line("pthread_mutexattr_t a; pthread_mutex_t m; int kind = -1;")
        .call("int r = pthread_mutexattr_init(&a);")
        .call(format!("int s = pthread_mutexattr_settype(&a, {kind});"))
        .call("pthread_mutexattr_gettype(&a, &kind); r += pthread_mutex_init(&m, &a); r += pthread_mutexattr_destroy(&a);");
    let operations: Vec<&str> = match kind {
        "1" | "2" => (0..5).map(|_| random.pick(&["lock", "trylock", "unlock", "unlock"])).collect(),
        _ => vec!["trylock", "trylock", "unlock", "lock", "trylock", "unlock"],
    };
    let mut call = call.see("r").see("s").see("kind");
    for (i, operation) in operations.iter().enumerate() {
        call = call.call(format!("int r{i} = pthread_mutex_{operation}(&m);")).see(format!("r{i}"));
        call = call
            .see_all(["__lock", "__count", "__owner != 0", "__nusers"].map(|part| format!("m.__data.{part}")).to_vec());
    }
    call.call("r = pthread_mutex_destroy(&m);").see("r")
}

/// Locks for readers and writers: no call waits.
pub(super) fn read_write_locks(random: &mut Random, _: &str) -> Call {
    let mut call = Call::default()
        .line("pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int held = 0;")
        .call("int r = pthread_rwlock_init(&l, NULL);")
        .see("r");
    for i in 0..5 {
        // What is held: the number of readers, or -1.
        let (operation, condition, then) = match random.below(5) {
            0 => ("rdlock", "1", "held++"),
            1 => ("tryrdlock", "1", "held++"),
            2 => ("wrlock", "held <= 0", "held = -1"),
            3 => ("trywrlock", "1", "held = -1"),
            _ => ("unlock", "held != 0", "held = held < 0 ? 0 : held - 1"),
        };
        let call_it = format!("int r{i} = {condition} ? pthread_rwlock_{operation}(&l) : -7; if (r{i} == 0) {then};");
        call = call.call(call_it).see(format!("r{i}"));
        let parts = ["__readers", "__wrphase_futex", "__writers_futex", "__cur_writer != 0"];
        call = call.see_all(parts.map(|part| format!("l.__data.{part}")).to_vec());
    }
    call.call("while (held != 0) { pthread_rwlock_unlock(&l); held = held < 0 ? 0 : held - 1; } r = pthread_rwlock_destroy(&l);")
        .see("r")
}

/// Locks that spin, conditions, what happens once.
pub(super) fn other_locks(random: &mut Random, _: &str) -> Call {
    let taken = random.pick(&["pthread_spin_lock(&l)", "pthread_spin_trylock(&l)", "0"]);
    Call::default()
        .line("pthread_spinlock_t l; pthread_cond_t c; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; struct timespec t = {1, 0};")
        .call(format!("int r = pthread_spin_init(&l, 0); r += {taken}; int s = pthread_spin_trylock(&l);"))
        .see("r")
        .see("s")
        .call("r = pthread_spin_unlock(&l) + pthread_spin_trylock(&l) + pthread_spin_unlock(&l) + pthread_spin_destroy(&l);")
        .call("r += pthread_cond_init(&c, NULL) + pthread_cond_signal(&c) + pthread_cond_broadcast(&c) + pthread_mutex_lock(&m);")
        .call("s = pthread_cond_timedwait(&c, &m, &t); r += pthread_mutex_unlock(&m) + pthread_cond_destroy(&c);")
        .see("r")
        .see("s")
        .line("pthread_once_t once = PTHREAD_ONCE_INIT; handled = 0;")
        .call("r = pthread_once(&once, note_once) + pthread_once(&once, note_once);")
        .see("r")
        .see("handled")
        .see("pthread_equal(pthread_self(), pthread_self()) != 0")
}

/// Semaphores: no call waits.
pub(super) fn semaphores(random: &mut Random, _: &str) -> Call {
    let first = random.pick(&["0", "1", "2", "0x7fffffff", "0x80000000u"]);
    let mut call = Call::default()
        .line("sem_t s; int value = -1;")
        .call(format!("int r = sem_init(&s, 0, {first});"))
        .see("r")
        .line("if (r != 0) sem_init(&s, 0, 1);");
    for i in 0..4 {
        let operation = random.pick(&["sem_post(&s)", "sem_trywait(&s)", "sem_getvalue(&s, &value)", "sem_wait(&s)"]);
        let guard = if operation == "sem_wait(&s)" { "(sem_getvalue(&s, &value), value > 0)" } else { "1" };
        call = call
            .call(format!("errno = 0; int r{i} = {guard} ? {operation} : -7;"))
            .see(format!("r{i}"))
            .see("errno")
            .see("value");
    }
    call.call("r = sem_destroy(&s);").see("r")
}

/// Folders.
pub(super) fn folders(random: &mut Random, name: &str) -> Call {
    let path = random.pick(&["\".\"", "\"nowhere\"", "\"\"", "\".\""]);
    let call = Call::default().line("close(open(\"f\", O_CREAT | O_RDWR, 0600));");
    let call = call.call(format!("DIR *d = opendir({path});")).see("d == NULL");
    let value = match name {
        "opendir" => "1",
        "readdir" => "({ struct dirent *e = readdir(d); e == NULL ? 0 : e->d_name[0] * 256 + e->d_type; })",
        "readdir64" => "({ struct dirent64 *e = readdir64(d); e == NULL ? 0 : (int)strlen(e->d_name); })",
        "closedir" => "({ int c = closedir(d); d = NULL; c; })",
        "dirfd" => "dirfd(d)",
        "rewinddir" => "(rewinddir(d), readdir(d) == NULL)",
        "seekdir" => "(seekdir(d, telldir(d)), readdir(d) == NULL)",
        _ => "(int)telldir(d)",
    };
    call.call(format!("long r = d == NULL ? -7 : {value};")).see("r").line("if (d != NULL) closedir(d);")
}

/// Regular expressions.
pub(super) fn expressions(random: &mut Random, name: &str) -> Call {
    let expression = random.pick(&["\"a*b\"", "\"(a)(b)\"", "\"[\"", "\"\"", "\"^.$\""]);
    let text = random.pick(&["\"aab\"", "\"ab\"", "\"\"", "\"x\""]);
    let flags = random.pick(&["0", "REG_EXTENDED", "REG_EXTENDED | REG_NOSUB"]);
    let call = Call::default().line("regex_t by; regmatch_t m[3] = {{7, 7}, {7, 7}, {7, 7}}; char to[16] = \"z\";");
    let call = call.call(format!("int error = regcomp(&by, {expression}, {flags});")).see("error");
    match name {
        "regcomp" => call.see("error ? 0 : by.re_nsub"),
        "regerror" => call
            .call(format!("size_t r = regerror(error, &by, to, {});", random.pick(&["16", "3", "0"])))
            .see("r")
            .see("to[0]"),
        _ => call
            .call(format!("int r = error ? -1 : regexec(&by, {text}, {}, m, 0);", random.below(4)))
            .see("r")
            .see_all((0..3).flat_map(|i| [format!("m[{i}].rm_so"), format!("m[{i}].rm_eo")]).collect())
            .line("if (!error) regfree(&by);"),
    }
}

/// `errno` itself.
pub(super) fn error_number(random: &mut Random, _: &str) -> Call {
    let word = quoted(&text(random, b"09x", 3));
    Call::default()
        .line(format!("*__errno_location() = 0; long n = strtol({word}, NULL, 99);"))
        .see("*__errno_location()")
        .see("n")
}
