//! Slices that run: programs whose slices are linked with functions that the slicer does not see, and with ends by a trap.
//!
//! Each program shows values by `check`, and may use the other functions that `OUTSIDE` defines. Its slice must show the same values, and
//! end as the program does.

use kerf_tests::slices::sliced;
use slicer::{PrepareOptions, SliceOptions};
use std::path::Path;
use std::process::{Command, Output};

const DECLARED: &str = "
    #include <setjmp.h>
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    #include <time.h>
    struct node { int v; struct node *next; };
    extern void check(int v);
    extern int input(void);
    extern int sum(const int *p, int n);
    extern int length(const struct node *n);
    extern void log_text(const char *text);
";

const OUTSIDE: &str = r#"
    #include <stdio.h>
    #include <unistd.h>
    struct node { int v; struct node *next; };
    __attribute__((constructor)) static void limit(void) { alarm(10); }
    void check(int v) { printf("%d\n", v); fflush(stdout); }
    int input(void) { static int n; return n++; }
    int sum(const int *p, int n) { int s = 0; while (n-- > 0) s += *p++; return s; }
    int length(const struct node *n) { int k = 0; for (; n; n = n->next) k += n->v; return k; }
    void log_text(const char *text) { (void)text; }
"#;

/// The default options of `kerf slice` for a slice that is written.
const USUAL: SliceOptions = SliceOptions {
    control: slicer::dependence::control_dep::ControlKind::Standard,
    keep_traps: true,
    cutoff_diverging: true,
    context_sensitive: true,
};

fn clang() -> Command {
    Command::new(frontend_llvm::clang::find().expect("clang is installed"))
}

fn done(mut command: Command) -> Output {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

/// Runs a module. Returns what it shows, and how it ends.
fn run(folder: &Path, module: &str) -> (String, String) {
    let mut link = clang();
    link.args(["-w", "-O0", "-o"]).args(["run", module, "outside.c"].map(|f| folder.join(f)));
    done(link);
    let run = Command::new(folder.join("run")).output().expect("the program runs");
    (String::from_utf8_lossy(&run.stdout).into_owned(), run.status.to_string())
}

/// A program, its slice as textual IR, and how both run.
struct Runs {
    program: (String, String),
    slice: (String, String),
    text: String,
}

fn runs(text: &str, how: &SliceOptions) -> Runs {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("program.c"), format!("{DECLARED}{text}")).expect("the folder can be written");
    std::fs::write(at("outside.c"), OUTSIDE).expect("the folder can be written");
    let mut compile = clang();
    compile.args(["-w", "-O0", "-c", "-emit-llvm", "-o"]).args([at("program.bc"), at("program.c")]);
    done(compile);
    sliced(
        &at("program.bc"),
        "main",
        how,
        &PrepareOptions { fields: true, ..PrepareOptions::default() },
        &at("slice.bc"),
    )
    .expect("a slice");
    let mut print = clang();
    print.args(["-w", "-S", "-emit-llvm", "-o", "-"]).arg(at("slice.bc"));
    let text = String::from_utf8_lossy(&done(print).stdout).into_owned();
    Runs { program: run(folder.path(), "program.bc"), slice: run(folder.path(), "slice.bc"), text }
}

/// Checks that the program shows `shown`, that its slice runs as the program does, and that the slice has none of the names in `gone`.
fn check(text: &str, shown: &str, gone: &[&str]) {
    let Runs { program, slice, text } = runs(text, &USUAL);
    assert_eq!(program.0, shown);
    let trapped = program.1.starts_with("signal");
    assert_eq!(slice.0, program.0, "{text}");
    // An execution that cannot reach the criterion any more ends at once.
    assert_eq!(slice.1.starts_with("signal"), trapped, "{}: {text}", slice.1);
    for name in gone {
        assert!(!text.contains(name), "{name} is left: {text}");
    }
}

#[test]
fn an_undefined_function_reads_the_bytes_that_it_is_given() {
    check(
        "static int noise[4], numbers[4];
        int main(void) {
            for (int i = 0; i < 4; i++) { numbers[i] = i * i; noise[i] = i; }
            if (sum(numbers, 4) == 14) check(1);
            check(2);
            return noise[3];
        }",
        "1\n2\n",
        &["@noise"],
    );
}

#[test]
fn it_follows_pointers() {
    check(
        "int main(void) {
            struct node last = {7, 0}, first = {5, &last};
            last.v++;
            check(length(&first));
            return 0;
        }",
        "13\n",
        &[],
    );
}

/// So many accesses may lie in so many objects that it is not tested in which ones.
#[test]
fn a_number_may_be_the_address_of_any_of_many_objects() {
    use std::fmt::Write as _;
    const N: usize = 380;
    let (mut objects, mut numbers, mut writes) = (String::new(), String::new(), String::new());
    for i in 0..N {
        write!(objects, "static int object{i};").expect("it is a text");
        write!(numbers, "n += (unsigned long)&object{i};").expect("it is a text");
        writeln!(writes, "*p += {i};").expect("it is a text");
    }
    check(
        &format!(
            "{objects} static int noise;
            int main(void) {{
                unsigned long n = 0;
                {numbers}
                int *p = (int *)((unsigned long)&object7 + n * input());
                {writes}
                noise = 5;
                check(object7 + object8);
                return noise;
            }}"
        ),
        &format!("{}\n", N * (N - 1) / 2),
        &["@noise"],
    );
}

#[test]
fn a_local_may_be_read_by_what_a_callee_calls() {
    check(
        "static int both(int *p) { return sum(p, 2); }
        int main(void) {
            int pair[2];
            pair[0] = 3;
            pair[1] = 4;
            check(both(pair));
            return 0;
        }",
        "7\n",
        &[],
    );
}

#[test]
fn bytes_that_are_only_copied_are_read() {
    check(
        "struct pair { int a, b; };
        static const struct pair given = {30, 12};
        int main(void) {
            struct pair p;
            memcpy(&p, &given, sizeof p);
            check(sum(&p.a, 2));
            return 0;
        }",
        "42\n",
        &[],
    );
}

#[test]
fn a_function_called_through_a_pointer_reads_them_too() {
    check(
        "int main(void) {
            int (*f)(const int *, int) = input() ? 0 : sum, x[1];
            x[0] = 9;
            check(f(x, 1));
            return 0;
        }",
        "9\n",
        &[],
    );
}

#[test]
fn a_call_that_is_dropped_needs_no_memory() {
    check(
        "static char text[8];
        int main(void) {
            for (int i = 0; i < 7; i++) text[i] = 'a' + i;
            log_text(text);
            check(3);
            return 0;
        }",
        "3\n",
        &["@text", "@log_text"],
    );
}

#[test]
fn library_functions_read_what_their_models_leave_open() {
    check(
        "static struct tm day, noise;
        int main(void) {
            day.tm_year = 110;
            day.tm_mday = 5;
            noise.tm_mday = 3;
            long first = mktime(&day);
            day.tm_mday = 6;
            check(mktime(&day) - first);
            return noise.tm_mday;
        }",
        "86400\n",
        &["@noise"],
    );
}

#[test]
fn exact_models_read_what_they_say() {
    check(
        "static char text[8], rest[8];
        int main(void) {
            text[0] = 'a'; text[1] = 'b'; text[2] = 0; rest[0] = 'c';
            check((int)strlen(text));
            return rest[0];
        }",
        "2\n",
        &["@rest"],
    );
}

#[test]
fn what_traps_ends_the_slice_too() {
    for (functions, body) in [
        ("", "int x = 1, *p = input() ? &x : 0; check(1); int y = *p;"),
        ("", "int x = input(); check(1); int y = 10 / x;"),
        ("static void set(int *p) { *p = 1; }", "int y = 0; check(1); set(input() ? &y : 0);"),
        ("static int f(void) { return 1; }", "int (*p)(void) = input() ? f : 0; check(1); int y = p();"),
        ("static int divided(int x) { return 10 % x; }", "check(1); int y = divided(input());"),
    ] {
        check(&format!("{functions} int main(void) {{ {body} check(2); return y; }}"), "1\n", &[]);
    }
}

#[test]
fn what_traps_after_the_last_criterion_goes() {
    let text = "static int divided(int x) { return 10 / x; }
        int main(void) {
            check(1);
            return divided(input() + 1);
        }";
    check(text, "1\n", &["@divided"]);
}

#[test]
fn without_cutting_a_slice_ends_where_the_program_does() {
    let text = "int main(void) {
            for (;;) {
                if (input() == 3) exit(4);
            }
        }";
    let runs = runs(text, &SliceOptions { cutoff_diverging: false, ..USUAL });
    assert_eq!(runs.program.1, "exit status: 4");
    assert!(!runs.slice.1.starts_with("signal"), "{}: {}", runs.slice.1, runs.text);
}

/// A call that does not return may be dropped, but control must not go on after it.
#[test]
fn a_dropped_call_before_the_unreachable_ends_the_slice() {
    let text = "
        static void last(void) { check(99); }
        __attribute__((noinline, noreturn)) static void leave(void) { input(); _Exit(0); }
        __attribute__((noinline)) static void show(int v) { check(v); leave(); }
        int main(void) { atexit(last); show(input()); return 0; }
    ";
    let Runs { program, slice, text } = runs(text, &SliceOptions { cutoff_diverging: false, ..USUAL });
    assert_eq!(slice, program, "{text}");
}

/// Code generation drops calls of functions that only read and are said to return, even if they may trap.
#[test]
fn a_library_call_that_traps_stays() {
    let text = "int main(void) { const char *text = input() ? \"12\" : 0; int n = strlen(text); check(1); return n; }";
    let Runs { program, slice, text } = runs(text, &USUAL);
    assert_eq!(slice, program, "{text}");
}

#[test]
fn traps_may_be_passed_where_that_is_wanted() {
    let text = "static int divided(int x) { return 10 / x; }
        int main(void) {
            int y = divided(input());
            check(2);
            return y;
        }";
    let runs = runs(text, &SliceOptions { keep_traps: false, ..USUAL });
    assert_eq!((runs.program.0.as_str(), runs.slice.0.as_str()), ("", "2\n"));
    assert!(!runs.text.contains("@divided"), "{}", runs.text);
}

/// Pointers are known only roughly: a function of another type among those that a call may call is not called.
#[test]
fn a_function_of_another_type_beside_the_called_one_is_no_obstacle() {
    check(
        "static int noise;
        static int twice(int x) { return 2 * x; }
        static void note(const char *text, double a, int b) { noise += b; check(text[0]); }
        static void *table[2] = {(void *)twice, (void *)note};
        int main(void) {
            int k = input();
            check(((int (*)(int))table[k])(21));
            ((void (*)(const char *, double, int))table[k + 1])(\"a\", 1.5, 2);
            return noise;
        }",
        "42\n97\n",
        &["@noise"],
    );
}

/// Blocks share no bytes, so that what is written to other fields than those that are read does not matter, whichever the block is.
#[test]
fn fields_of_blocks_are_apart() {
    check(
        "struct entry { struct entry *next; int *value; int n, noise, copy[2]; };
        static int one, other;
        static struct entry *made(struct entry *next, int n) {
            struct entry *node = malloc(sizeof *node);
            node->next = next;
            node->value = n > 2 ? &one : &other;
            node->n = n;
            node->noise = n * 7 + input();
            node->copy[0] = n;
            node->copy[1] = node->noise;
            return node;
        }
        int main(void) {
            struct entry *list = 0, *last = calloc(1, sizeof *last);
            for (int i = 0; i < 5; i++) list = made(list, i);
            memcpy(last->copy, list->copy, sizeof last->copy);
            *list->value = 9;
            int sum = last->copy[0];
            for (struct entry *p = list; p; p = p->next) { sum += p->n; *p->value += p->n; }
            check(sum);
            check(one);
            return 0;
        }",
        "14\n16\n",
        &[],
    );
    let text = "struct two { int n, noise; };
        static int noise(void) { return 3; }
        int main(void) {
            struct two *p = malloc(sizeof *p);
            p->n = 5;
            p->noise = noise();
            check(p->n);
            return 0;
        }";
    let runs = runs(text, &SliceOptions { keep_traps: false, ..USUAL });
    assert_eq!((runs.program.0.as_str(), runs.slice.0.as_str()), ("5\n", "5\n"));
    assert!(!runs.text.contains("@noise"), "{}", runs.text);
}

/// What a function of the library is given at one call does not flow to another one.
#[test]
fn calls_of_the_library_are_told_apart() {
    check(
        "static int noise(void) { return 'z'; }
        int main(void) {
            char a[8], b[8], c[8], d[8];
            a[0] = 'x'; a[1] = 'y'; a[2] = 0;
            b[0] = noise(); b[1] = 'y'; b[2] = 0;
            strcpy(c, a);
            strcpy(d, b);
            *strchr(c, 'y') = 'w';
            *strchr(d, 'y') = noise();
            check(c[0] + c[1]);
            return 0;
        }",
        "239\n",
        &[],
    );
    let text = "static int noise(void) { return 'z'; }
        int main(void) {
            char a[8], b[8], *x, *y;
            a[0] = 'x'; a[1] = 0;
            b[0] = noise(); b[1] = 0;
            x = strchr(a, 'x');
            y = strchr(b, 'z');
            *x = 'w';
            *y = noise();
            check(a[0]);
            return 0;
        }";
    let runs = runs(text, &SliceOptions { keep_traps: false, ..USUAL });
    assert_eq!((runs.program.0.as_str(), runs.slice.0.as_str()), ("119\n", "119\n"));
    assert!(!runs.text.contains("@noise"), "{}", runs.text);
}

/// A handler may run at any time: what it reads is right whenever it does, and what it writes is found.
#[test]
fn handlers_of_signals_find_what_the_program_wrote() {
    check(
        "#include <signal.h>
        #include <unistd.h>
        static volatile int stop, step, noise;
        static int deep(void) { return step * 10; }
        static void on_signal(int number) { check(deep() + number); stop++; }
        int main(void) {
            struct sigaction act;
            memset(&act, 0, sizeof act);
            act.sa_handler = on_signal;
            sigaction(SIGUSR1, &act, NULL);
            stop = 0;
            while (stop < 3) { step++; noise += step; kill(getpid(), SIGUSR1); }
            signal(SIGUSR2, on_signal);
            step = 7;
            raise(SIGUSR2);
            step = 8;
            return noise;
        }",
        "20\n30\n40\n82\n",
        &["@noise"],
    );
}

/// Waiting for a handler is no loop that may be left out.
#[test]
fn waiting_for_a_handler_stays() {
    check(
        "#include <signal.h>
        #include <unistd.h>
        static volatile sig_atomic_t seen;
        static void on_signal(int number) { seen++; }
        int main(void) {
            signal(SIGALRM, on_signal);
            ualarm(1000, 0);
            while (!seen) {}
            check(seen);
            return 0;
        }",
        "1\n",
        &[],
    );
}

/// What a thread reads and writes is right, and waiting for it stays.
#[test]
fn threads_find_what_the_program_wrote() {
    check(
        "#include <pthread.h>
        static int step, noise, seen;
        static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
        static int deep(void) { return step * 10; }
        static void *work(void *given) {
            int *number = given;
            pthread_mutex_lock(&held);
            seen = *number + deep();
            check(seen);
            pthread_mutex_unlock(&held);
            return number + 1;
        }
        int main(void) {
            pthread_t thread;
            int numbers[2] = {5, 9};
            void *end;
            noise = 3;
            step = 7;
            pthread_mutex_lock(&held);
            pthread_create(&thread, 0, work, numbers);
            numbers[0] = 6;
            noise += step;
            pthread_mutex_unlock(&held);
            pthread_join(thread, &end);
            check(seen + *(int *)end);
            return noise;
        }",
        "76\n85\n",
        &["@noise"],
    );
}

/// The main function of a program may end before its threads do, which wait for each other.
#[test]
fn threads_go_on_when_the_main_function_has_ended() {
    check(
        "#include <pthread.h>
        #include <semaphore.h>
        #include <unistd.h>
        static sem_t go, back;
        static volatile int data, noise, is_done;
        static void *work(void *number) {
            for (int i = 0; i < 3; i++) {
                sem_wait(&go);
                check(data + *(int *)number);
                sem_post(&back);
            }
            is_done = 1;
            usleep(1000);
            check(data);
            pthread_exit(0);
        }
        int main(void) {
            pthread_t thread;
            static int number = 100;
            sem_init(&go, 0, 0);
            sem_init(&back, 0, 0);
            pthread_create(&thread, 0, work, &number);
            for (int i = 0; i < 3; i++) {
                data = i * i;
                noise = noise + i;
                sem_post(&go);
                sem_wait(&back);
            }
            while (!is_done) usleep(10);
            pthread_exit(0);
        }",
        "100\n101\n104\n4\n",
        &["@noise"],
    );
}

/// What gives a thread time to run stays, and so does the signal that a handler waits for.
#[test]
fn what_lets_others_run_stays() {
    for wait in ["poll(0, 0, 200)", "waitpid(-1, 0, 0), usleep(200000)"] {
        let text = format!(
            "#include <poll.h>
            #include <pthread.h>
            #include <sys/wait.h>
            #include <unistd.h>
            static void *work(void *unused) {{
                check(2);
                return unused;
            }}
            int main(void) {{
                pthread_t thread;
                pthread_create(&thread, 0, work, 0);
                {wait};
                return 0;
            }}"
        );
        check(&text, "2\n", &[]);
    }
}

/// At the end of the program, a thread or a handler ends. What a program waits for before stays.
#[test]
fn a_program_ends_when_it_ended() {
    check(
        "#include <pthread.h>
        #include <unistd.h>
        static volatile int is_done, noise;
        static void *work(void *unused) {
            usleep(20000);
            check(2);
            is_done = 1;
            return unused;
        }
        int main(void) {
            pthread_t thread;
            pthread_create(&thread, 0, work, 0);
            while (!is_done) noise++;
            return 0;
        }",
        "2\n",
        &[],
    );
    check(
        "#include <signal.h>
        #include <unistd.h>
        static volatile sig_atomic_t seen;
        static void on_signal(int number) { check(number); seen = 1; }
        int main(void) {
            signal(SIGALRM, on_signal);
            ualarm(1000, 0);
            while (!seen) {}
            return 0;
        }",
        "14\n",
        &[],
    );
}

/// An intrinsic without a model may read what it is given the address of.
#[test]
fn what_intrinsics_without_a_model_read_is_kept() {
    check(
        "#include <xmmintrin.h>
        int main(void) {
            volatile float a = 1, b = 3;
            float c = a / b;
            _mm_setcsr(0x1f80 | _MM_ROUND_DOWN);
            float d = a / b;
            check(c > d);
            _mm_setcsr(0x1f80);
            check(a / b == c);
            return 0;
        }",
        "1\n1\n",
        &[],
    );
}

/// The only way to a criterion leads through a handler.
#[test]
fn a_handler_may_be_all_that_leads_to_a_criterion() {
    let text = "
        #include <signal.h>
        static int step;
        static void on_signal(int number) { check(step + number); }
        int main(void) {
            signal(SIGUSR1, on_signal);
            for (int i = 0; i < 3; i++) { step = i; if (i == 2) raise(SIGUSR1); }
            return 0;
        }";
    check(text, "12\n", &[]);
}

/// The slice keeps a jump with the call of `setjmp` that it is for.
#[test]
fn jumps_lead_where_they_led() {
    check(
        "static jmp_buf place;
        static int noise, depth;
        static void fail(int code) { noise++; longjmp(place, code); }
        static int work(int n) { depth++; if (n > 2) fail(n); depth--; return n; }
        int main(void) {
            volatile int rounds = 0;
            int code = setjmp(place);
            noise += 2;
            if (code != 0) rounds++;
            check(100 * code + 10 * depth + rounds);
            if (rounds < 3) work(rounds + 2);
            if (rounds < 3) work(rounds + 3);
            check(rounds);
            return noise;
        }",
        "0\n311\n322\n433\n3\n",
        &["@noise"],
    );
}

/// A jump decides whether what follows the call is executed at all.
#[test]
fn what_a_jump_skips_is_skipped() {
    check(
        "static jmp_buf *outer;
        static int noise;
        static void descend(int left) {
            jmp_buf own;
            noise += left;
            if (setjmp(own) != 0) { check(left); return; }
            if (!outer) outer = &own;
            if (left > 0) descend(left - 1);
            longjmp(*outer, 1);
        }
        int main(void) {
            descend(3);
            check(7);
            return noise;
        }",
        "3\n7\n",
        &["@noise"],
    );
}

/// Without the criterion behind it, a jump is the end of a path.
#[test]
fn a_jump_that_leads_nowhere_ends_the_slice() {
    check(
        "static jmp_buf place;
        int main(void) {
            if (setjmp(place) != 0) return 0;
            for (int i = 0; ; i++) { if (i == 3) longjmp(place, 1); check(i); }
        }",
        "0\n1\n2\n",
        &[],
    );
}
