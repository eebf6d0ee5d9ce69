//! The functions of the C library, and the generators of their calls.

use super::call::Call;
use super::{numbers, streams, strings, system};
use kerf_testing::Random;

/// Makes a call of the function of that name.
type Make = fn(&mut Random, &str) -> Call;

/// Functions of one kind.
pub(super) struct Group {
    /// The names of the functions.
    pub names: Vec<String>,
    /// The generator of their calls.
    pub make: Make,
    /// Whether the arguments determine what glibc does: then an alarm that something else can be observed is wrong.
    pub is_determined: bool,
}

/// Functions without a generator, and why.
pub(super) const LEFT_OUT: &[(&str, &str)] = &[
    ("_Exit", "ends the program"),
    ("__assert", "ends the program"),
    ("__assert_fail", "ends the program"),
    ("__assert_perror_fail", "ends the program"),
    ("__chk_fail", "ends the program"),
    ("__cxa_guard_abort", "of C++, not of the C library"),
    ("__cxa_guard_acquire", "of C++, not of the C library"),
    ("__cxa_guard_release", "of C++, not of the C library"),
    ("__fortify_fail", "ends the program"),
    ("__longjmp_chk", "no call like others: see tests/programs/jumps_*.c"),
    ("__sigsetjmp", "no call like others: see tests/programs/jumps_*.c"),
    ("__stack_chk_fail", "ends the program"),
    ("__sysv_signal", "not declared by default: see tests/programs/signals_*.c"),
    ("_exit", "ends the program"),
    ("_longjmp", "no call like others: see tests/programs/jumps_*.c"),
    ("_setjmp", "no call like others: see tests/programs/jumps_*.c"),
    ("abort", "ends the program"),
    ("alloca", "a part of the language for clang"),
    ("cfree", "gone from glibc 2.26 on"),
    ("err", "ends the program"),
    ("errx", "ends the program"),
    ("exit", "ends the program"),
    ("longjmp", "no call like others: see tests/programs/jumps_*.c"),
    ("optarg", "a variable"),
    ("opterr", "a variable"),
    ("optind", "a variable"),
    ("optopt", "a variable"),
    ("pthread_cond_wait", "never ends"),
    ("pthread_create", "of slices only: see tests/tests/slice_runs.rs"),
    ("pthread_exit", "ends the program"),
    ("pthread_join", "of slices only: see tests/tests/slice_runs.rs"),
    ("quick_exit", "ends the program"),
    ("setjmp", "no call like others: see tests/programs/jumps_*.c"),
    ("siglongjmp", "no call like others: see tests/programs/jumps_*.c"),
    ("sigsetjmp", "no call like others: see tests/programs/jumps_*.c"),
    ("stderr", "a variable"),
    ("stdin", "a variable"),
    ("stdout", "a variable"),
    ("strlcat", "in glibc from 2.38 on"),
    ("strlcpy", "in glibc from 2.38 on"),
    ("verr", "ends the program"),
    ("verrx", "ends the program"),
    ("vwarn", "as warn"),
    ("vwarnx", "as warnx"),
];

/// Functions, whether the arguments determine what they do, and the generator of their calls.
const FUNCTIONS: &[(&str, bool, Make)] = &[
    (
        "isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit toascii \
         tolower toupper __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc",
        true,
        strings::characters,
    ),
    (
        "strlen strnlen strcmp strcoll strcasecmp strncmp strncasecmp strchr index strrchr rindex strchrnul strspn \
         strcspn strstr strcasestr strpbrk memchr memrchr rawmemchr memmem",
        true,
        strings::looking,
    ),
    // The difference of the bytes, or just its sign where a block lies close to the end of a page.
    ("memcmp bcmp", false, strings::looking),
    (
        "strcpy stpcpy strncpy stpncpy strcat strncat strxfrm memcpy mempcpy memmove bcopy memset bzero explicit_bzero \
         memccpy __memcpy_chk __memmove_chk __mempcpy_chk __strncpy_chk __memset_chk __strcpy_chk __strcat_chk \
         __strncat_chk",
        true,
        strings::changing,
    ),
    ("strtok strtok_r strsep", true, strings::parts),
    ("strdup __strdup strndup", true, strings::copies),
    ("strerror", true, strings::errors),
    ("ffs ffsl ffsll", true, strings::lowest_bit),
    ("abs labs llabs imaxabs", true, numbers::magnitudes),
    ("div ldiv lldiv", true, numbers::divisions),
    (
        "atoi atol atoll strtol strtoll strtoimax strtoul strtoull strtoumax __isoc23_strtol __isoc23_strtoll \
         __isoc23_strtoul __isoc23_strtoull",
        true,
        numbers::integers_from_text,
    ),
    ("atof strtod strtof strtold", true, numbers::floats_from_text),
    ("qsort", true, numbers::sorting),
    ("bsearch lfind lsearch", true, numbers::searching),
    ("swab", true, strings::exchanged_bytes),
    ("rand srand random srandom rand_r drand48 srand48 lrand48 mrand48", false, numbers::at_random),
    ("fegetround fesetround fetestexcept feclearexcept feraiseexcept", true, numbers::environment),
    ("malloc valloc calloc realloc reallocarray free posix_memalign aligned_alloc memalign", true, numbers::memory),
    (
        "printf vprintf fprintf vfprintf dprintf __printf_chk __fprintf_chk __vprintf_chk __vfprintf_chk puts fputs \
         putchar putc fputc _IO_putc perror warn warnx fwrite",
        false,
        streams::printing,
    ),
    (
        "sprintf snprintf vsprintf vsnprintf __sprintf_chk __snprintf_chk asprintf vasprintf __asprintf_chk __vasprintf_chk",
        true,
        streams::to_memory,
    ),
    ("sscanf __isoc99_sscanf __isoc23_sscanf vsscanf __isoc99_vsscanf", true, streams::scanning),
    (
        "scanf fscanf vscanf vfscanf __isoc99_scanf __isoc99_fscanf __isoc99_vscanf __isoc99_vfscanf __isoc23_scanf \
         __isoc23_fscanf",
        false,
        streams::scanning,
    ),
    ("getchar getc fgetc _IO_getc fgets gets fread getline getdelim read", false, streams::reading),
    (
        "fopen fdopen freopen tmpfile popen pclose fclose fflush feof ferror clearerr fileno fseek ftell rewind setvbuf \
         setbuf setlinebuf ungetc",
        false,
        streams::streams,
    ),
    ("remove rename", false, streams::files),
    ("time clock difftime gettimeofday clock_gettime sleep usleep nanosleep sched_yield", false, system::clocks),
    ("gmtime localtime gmtime_r localtime_r mktime ctime asctime", true, system::dates),
    ("strftime", true, system::formatted_dates),
    ("getpid getppid getuid geteuid getgid getegid", false, system::processes),
    ("open write close isatty lseek access mkdir rmdir unlink chdir", false, system::files),
    (
        "fcntl fcntl64 dup dup2 pipe stat lstat fstat stat64 lstat64 fstat64 fsync fdatasync ftruncate ftruncate64 \
         truncate truncate64 chmod fchmod chown lchown fchown mkfifo flock link symlink utime utimes pread pread64 pwrite pwrite64 readlink realpath \
         mkstemp mkostemp mkdtemp getcwd",
        false,
        system::more_files,
    ),
    (
        "umask sysconf getpagesize getpgid getsid getpgrp setsid setpgid wait waitpid poll getrlimit setrlimit getrusage times gethostname \
         getrandom getentropy kill",
        false,
        system::questions,
    ),
    ("localeconv", true, system::locale),
    ("getopt getopt_long getopt_long_only", true, system::options),
    ("basename __xpg_basename dirname", true, strings::paths),
    ("getenv secure_getenv setenv unsetenv system setlocale atexit", false, system::environment),
    ("htonl htons ntohl ntohs", true, system::byte_order),
    ("sigemptyset sigfillset sigaddset sigdelset sigismember", true, system::signal_sets),
    ("signal sigaction raise sigprocmask pthread_sigmask", true, system::signals),
    (
        "wcslen wcsnlen wcscpy wcsncpy wcscat wcsncat wcsdup wcscmp wcsncmp wmemcmp wcschr wcsrchr wmemchr wcsstr wcsspn wcscspn wcspbrk \
         wmemcpy wmemmove wmemset",
        true,
        strings::wide,
    ),
    (
        "iswalpha iswdigit iswalnum iswupper iswlower iswxdigit iswspace iswblank iswcntrl iswprint iswgraph iswpunct towupper towlower",
        true,
        strings::wide_characters,
    ),
    ("btowc wctob mbstowcs wcstombs", true, strings::wide_conversions),
    ("opendir readdir readdir64 closedir dirfd rewinddir seekdir telldir", false, system::folders),
    ("regcomp regexec regerror regfree", false, system::expressions),
    (
        "pthread_mutexattr_init pthread_mutexattr_destroy pthread_mutexattr_settype pthread_mutexattr_gettype pthread_mutex_init \
         pthread_mutex_destroy pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock",
        true,
        system::mutexes,
    ),
    (
        "pthread_rwlock_init pthread_rwlock_destroy pthread_rwlock_rdlock pthread_rwlock_tryrdlock pthread_rwlock_wrlock \
         pthread_rwlock_trywrlock pthread_rwlock_unlock",
        true,
        system::read_write_locks,
    ),
    (
        "pthread_spin_init pthread_spin_destroy pthread_spin_lock pthread_spin_trylock pthread_spin_unlock pthread_cond_init \
         pthread_cond_destroy pthread_cond_signal pthread_cond_broadcast pthread_cond_timedwait pthread_once pthread_equal pthread_self",
        true,
        system::other_locks,
    ),
    ("sem_init sem_destroy sem_post sem_wait sem_trywait sem_getvalue", true, system::semaphores),
    ("__errno_location", false, system::error_number),
];

/// As `FUNCTIONS`, for `<math.h>`: each name represents three functions, for `double`, `float` and `long double`.
const FLOATING: &[(&[&str], bool, Make)] = &[
    (&numbers::UNARY, true, numbers::unary),
    (&numbers::ROUNDING, true, numbers::unary),
    (&numbers::BINARY, true, numbers::binary),
    (&numbers::EXTREMES, false, numbers::binary),
    (&numbers::TO_INTEGER, true, numbers::to_integer),
    (&numbers::SEVERAL, true, numbers::several),
];

/// All functions, in groups.
pub(super) fn groups() -> Vec<Group> {
    let listed = FUNCTIONS.iter().map(|&(names, is_determined, make)| Group {
        names: names.split_whitespace().map(str::to_string).collect(),
        make,
        is_determined,
    });
    let floating = FLOATING.iter().flat_map(|&(bases, is_determined, make)| {
        ["", "f", "l"].map(|suffix| Group {
            names: bases.iter().map(|base| format!("{base}{suffix}")).collect(),
            make,
            is_determined,
        })
    });
    listed.chain(floating).collect()
}
