//! A counterexample as a unit test that one can keep: a C file that includes the program's source and calls its `main` on the inputs.
//!
//! The test needs a C compiler and nothing of kerf. It fails as long as the execution reaches the violation, and passes if it ends in any
//! other way: the program returns or ends the process, an assumption does not hold, or it asks for more inputs than the counterexample
//! has, so that it is on another path. The program runs in a child process, since it may end its process by means that nobody can list, and for at most a
//! minute, since it may be mended so that it runs for ever.
//!
//! The test includes no header, and its names begin with `kerf_`, so that it does not meet names and macros of the program. Functions of
//! the system and of the program's environment are declared under such names with the linker's name of the function, since their types in
//! the source are not known here.
//!
//! Before the test is handed out, it is compiled and run: a test that does not fail on the program as it is would be none.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result};
use frontend_llvm::{Claim, clang};

use super::signature::Signatures;
use super::source::{ASSUMPTIONS, bytes, shown};
use super::surroundings::Surroundings;
use super::{
    Build, Channel, EXACT_FLOATS, Experiment, InputValue, LONGEST_RUN, first_error, quoted, tool, undefined_symbols,
    wait,
};

/// What the test is about, in words.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// What the program does wrong, such as `reach_error() is called`.
    pub what: &'a str,
    /// Where, such as `sum.c:13`.
    pub place: &'a str,
}

/// Writes the test into `file`. The inner error is the reason why there is none, in words.
///
/// # Errors
/// A file cannot be written, or clang is missing.
pub fn write(experiment: &Experiment, about: About<'_>, file: &Path) -> Result<Result<(), String>> {
    let is_c = |path: &PathBuf| matches!(path.extension().and_then(|e| e.to_str()), Some("c" | "i"));
    if let Some(other) = experiment.files.iter().find(|path| !is_c(path)) {
        return Ok(Err(format!("{} is no C source, which a test could include", other.display())));
    }
    let Some((folder, name)) = folder_and_name(file)? else {
        return Ok(Err(format!("{} is no name of a file", file.display())));
    };
    let temporary = tempfile::tempdir().context("cannot make a temporary directory")?;
    let mut files = Vec::new();
    let mut build = Build { script: String::new(), dir: temporary.path(), deadline: experiment.deadline };
    let mut model = vec![clang::width_option(experiment.pointer_bits)];
    if experiment.pointer_bits == 32 {
        model.extend(EXACT_FLOATS);
    }
    for (i, path) in experiment.files.iter().enumerate() {
        let text = format!("program{i}.ll");
        if let Err(said) = build.assembly(path, &model, experiment.clang_options, &text)? {
            return Ok(Err(format!("{} does not compile: {}", path.display(), first_error(&said))));
        }
        let assembly = std::fs::read_to_string(temporary.path().join(&text)).context("cannot read assembly")?;
        let path = std::fs::canonicalize(path).with_context(|| format!("cannot find {}", path.display()))?;
        files.push((relative(&folder, &path), Signatures::read(&assembly)));
    }
    let around = experiment.surroundings;
    if around.needs_folder() {
        return Ok(Err("the program reads files, which a test does not make".into()));
    }
    let is_plain = around.input.is_none() && around.variables.is_empty();
    let called = CALLED.iter().chain(SURROUNDING.iter().filter(|_| !is_plain));
    let own = called.clone().find(|name| files.iter().any(|(_, signatures)| signatures.defined.contains(**name)));
    if let Some(own) = own {
        return Ok(Err(format!("the program defines {own}() itself, which the test calls")));
    }
    let mut test = UnitTest { experiment, about, name: &name, files, stubs: Vec::new(), is_instrumented: false };
    let target = folder.join(&name);
    if target.exists() && !std::fs::read(&target).is_ok_and(|text| text.starts_with(FIRST_WORDS.as_bytes())) {
        return Ok(Err(format!("{} exists and is no test made by kerf", file.display())));
    }
    // The test stands in its directory while it is tried, since it names the program from there.
    let draft = tempfile::Builder::new().prefix(".kerf-").suffix(".c").tempfile_in(&folder);
    let draft = draft.with_context(|| format!("cannot write into {}", folder.display()))?;
    for is_instrumented in [false, true] {
        test.is_instrumented = is_instrumented;
        match test.attempt(&folder, draft.path(), &temporary.path().join("test"))? {
            Ok(true) => {
                std::fs::copy(draft.path(), &target).with_context(|| format!("cannot write {}", file.display()))?;
                return Ok(Ok(()));
            }
            Ok(false) => {}
            Err(reason) => return Ok(Err(reason)),
        }
    }
    Ok(Err("the compiled program does not come to the violation on these inputs".into()))
}

/// How each test begins, by which it is known again.
const FIRST_WORDS: &str = "/* A test made by kerf of a counterexample: ";

/// The directory of a file that is to be written, which is made if there is none, and the file's name.
fn folder_and_name(file: &Path) -> Result<Option<(PathBuf, String)>> {
    let Some(name) = file.file_name().and_then(|name| name.to_str()) else { return Ok(None) };
    let folder = file.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let folder = std::fs::canonicalize(folder).with_context(|| format!("cannot find {}", folder.display()))?;
    Ok(Some((folder, name.to_string())))
}

/// The path of a file from a directory; both are absolute.
fn relative(from: &Path, to: &Path) -> String {
    let common = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..".to_string(), from.components().count() - common);
    let down = to.components().skip(common).map(|c| c.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

/// A test that is being made.
struct UnitTest<'a> {
    experiment: &'a Experiment<'a>,
    about: About<'a>,
    /// The name of the test's file.
    name: &'a str,
    /// The program's files, as the test names them.
    files: Vec<(String, Signatures)>,
    /// Undefined functions without an effect.
    stubs: Vec<String>,
    /// Whether the compiler makes functions report that they are entered, for targets that the program defines itself.
    is_instrumented: bool,
}

impl UnitTest<'_> {
    /// Writes the test, compiles and runs it. Returns whether it fails as it must.
    fn attempt(&mut self, folder: &Path, file: &Path, binary: &Path) -> Result<Result<bool, String>> {
        loop {
            let text = match self.text() {
                Ok(text) => text,
                Err(reason) => return Ok(Err(reason)),
            };
            std::fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))?;
            let mut command = Command::new(tool("clang"));
            command
                .args(self.arguments(&file.display().to_string(), &binary.display().to_string()))
                .current_dir(folder);
            let log = tempfile::NamedTempFile::new().context("cannot make a temporary file")?;
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log.reopen()?);
            let status = wait(command, self.experiment.deadline)?;
            if status.is_some_and(|status| status.success()) {
                return self.fails(folder, binary).map(Ok);
            }
            let said = std::fs::read_to_string(log.path()).unwrap_or_default();
            let mut missing: Vec<String> = undefined_symbols(&said).filter(|name| !self.stubs.contains(name)).collect();
            missing.sort();
            missing.dedup();
            if missing.is_empty() {
                return Ok(Err(format!("it does not compile: {}", first_error(&said))));
            }
            self.stubs.extend(missing);
        }
    }

    /// Whether the test fails, and says so.
    fn fails(&self, folder: &Path, binary: &Path) -> Result<bool> {
        let log = tempfile::NamedTempFile::new().context("cannot make a temporary file")?;
        let mut run = Command::new(binary);
        run.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log.reopen()?);
        let latest = Instant::now() + LONGEST_RUN;
        let status = wait(run, Some(self.experiment.deadline.map_or(latest, |d| d.min(latest))))?;
        let said = std::fs::read(log.path()).unwrap_or_default();
        let has_failed = status.is_some_and(|status| status.code() == Some(1));
        Ok(has_failed && String::from_utf8_lossy(&said).ends_with(&format!("{}\n", self.message())))
    }

    /// The arguments of the compiler for a test in this file, in its directory.
    fn arguments(&self, file: &str, binary: &str) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        if self.experiment.pointer_bits == 32 {
            all.push(clang::width_option(32).into());
            all.extend(EXACT_FLOATS.map(String::from));
        }
        // Signed numbers wrap around, as in the execution that the test repeats.
        all.extend(["-w", "-fno-builtin", "-fwrapv"].map(String::from));
        all.extend(self.is_instrumented.then(|| "-finstrument-functions".into()));
        all.extend(self.experiment.clang_options.iter().cloned());
        all.extend(["-o".to_string(), binary.into(), file.into()]);
        let main = self.main();
        all.extend(self.files.iter().enumerate().filter(|(i, _)| *i != main).map(|(_, (path, _))| path.clone()));
        all.extend(["-lm", "-lpthread"].map(String::from));
        all
    }

    /// The index of the file with `main`.
    fn main(&self) -> usize {
        self.files.iter().position(|(_, signatures)| signatures.defined.contains("main")).unwrap_or(0)
    }

    /// Whether a file of the program defines a function.
    fn defines(&self, name: &str) -> bool {
        self.files.iter().any(|(_, signatures)| signatures.defined.contains(name))
    }

    /// Whether the program calls a function that it does not define.
    fn lacks(&self, name: &str) -> bool {
        self.files.iter().any(|(_, signatures)| signatures.of(name).is_some()) && !self.defines(name)
    }

    /// What the test says if it fails.
    fn message(&self) -> String {
        plain(&format!("{} at {}", self.about.what, self.about.place))
    }

    fn text(&self) -> Result<String, String> {
        let (source, signatures) = &self.files[self.main()];
        if source.contains(['"', '\\']) || source.contains(char::is_control) {
            return Err(format!("no C file can include {source}"));
        }
        let stem = Path::new(self.name).file_stem().and_then(|stem| stem.to_str()).unwrap_or("test");
        let words: Vec<String> = self.arguments(self.name, stem).iter().map(|word| quoted(word)).collect();
        let command = format!("cc {} && ./{}", words.join(" "), quoted(stem));
        let message = self.message();
        let mut out = format!(
            "{FIRST_WORDS}{}.\n * It fails as long as the inputs below lead there, and passes once \
             the program is mended. In this directory:\n *\n *     {}\n */\n",
            comment(&message),
            command.replace("*/", "* /")
        );
        out.push_str(HEAD);
        let _ = writeln!(out, "#include \"{source}\"\n#undef main\n");
        self.environment(&mut out)?;
        self.inputs(&mut out)?;
        let has_parameters = signatures.of("main").is_some_and(|main| !main.first_parameter.is_empty());
        let around = self.experiment.surroundings;
        let (mut before, call) = match has_parameters {
            true => {
                let name = around.name.as_deref().unwrap_or(b"program");
                // Arrays: a program may write to its arguments.
                let array_of = |text: &[u8]| format!("(char[]){{{}}}, ", text_literal(text));
                let texts: String = around.arguments.iter().map(|text| array_of(text)).collect();
                let array = format!("        char *kerf_arguments[] = {{{}{texts}0}};\n", array_of(name));
                (array, format!("kerf_program_main({}, kerf_arguments)", around.arguments.len() + 1))
            }
            false => (String::new(), "kerf_program_main()".into()),
        };
        surround(around, &mut out, &mut before)?;
        // What `main` returns is not used, since old programs declare it without a result.
        let _ = writeln!(
            out,
            "\nint main(void) {{\n    if (kerf_is_child()) {{\n{before}        {call};\n        kerf_end(0);\n    }}\n    \
             return kerf_fails({});\n}}",
            literal(&message)
        );
        Ok(out)
    }

    /// Functions that the program calls and does not define: those whose call is the violation, assertions, assumptions, and others.
    fn environment(&self, out: &mut String) -> Result<(), String> {
        for (i, target) in self.experiment.targets.iter().enumerate().filter(|(_, target)| self.lacks(target)) {
            defined(out, "void", &format!("kerf_error_{i}"), target, "void", "kerf_violated();");
        }
        if self.is_instrumented {
            let known =
                self.experiment.targets.iter().filter(|target| self.files[self.main()].1.defined.contains(*target));
            let tests: Vec<String> = known.map(|target| format!("kerf_function == (void *){target}")).collect();
            if tests.is_empty() {
                return Err("the compiled program does not come to the violation on these inputs".into());
            }
            let _ = writeln!(
                out,
                "/* The compiler calls this wherever a function is entered. */\n__attribute__((no_instrument_function)) void \
                 __cyg_profile_func_enter(void *kerf_function, void *kerf_caller) {{\n    (void)kerf_caller;\n    if ({}) \
                 kerf_violated();\n}}\n__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void *kerf_function, \
                 void *kerf_caller) {{\n    (void)kerf_function, (void)kerf_caller;\n}}",
                tests.join(" || ")
            );
        }
        let condition = |name: &str| {
            let signature = self.files.iter().find_map(|(_, signatures)| signatures.of(name));
            signature.map_or("int", |signature| signature.c_condition())
        };
        for (i, name) in self.experiment.assertions.iter().enumerate().filter(|(_, name)| self.lacks(name)) {
            let condition = condition(name);
            let (parameters, fails) = match Claim::of(name) {
                Some(Claim::HoldsNot) => (format!("{condition} kerf_a"), "kerf_a"),
                Some(Claim::HoldsIf) => (format!("{condition} kerf_a, {condition} kerf_b"), "kerf_a && !kerf_b"),
                Some(Claim::Holds) | None => (format!("{condition} kerf_a"), "!kerf_a"),
            };
            let body = format!("if ({fails}) kerf_violated();");
            defined(out, "void", &format!("kerf_assertion_{i}"), name, &parameters, &body);
        }
        for (i, name) in ASSUMPTIONS.iter().enumerate().filter(|(_, name)| self.lacks(name)) {
            let parameters = format!("{} kerf_holds", condition(name));
            let body = "if (!kerf_holds) kerf_path_left();";
            defined(out, "void", &format!("kerf_assumption_{i}"), name, &parameters, body);
        }
        for (i, name) in self.stubs.iter().enumerate() {
            defined(out, "long long", &format!("kerf_stub_{i}"), name, "void", "return 0;");
        }
        Ok(())
    }

    /// The functions that yield inputs.
    fn inputs(&self, out: &mut String) -> Result<(), String> {
        let mut by_function: BTreeMap<&str, Vec<&InputValue>> = BTreeMap::new();
        for input in self.experiment.inputs {
            by_function.entry(&input.function).or_default().push(input);
        }
        if !by_function.is_empty() {
            out.push_str("/* The inputs, in the order in which the program asks for them. */\n");
        }
        for (i, (function, values)) in by_function.iter().enumerate() {
            if self.defines(function) {
                return Err(format!("the program defines {function}() itself"));
            }
            let name = format!("kerf_input_{i}");
            if values.iter().any(|v| v.channel == Channel::Memory) {
                let cases: Vec<String> = (values.iter().enumerate())
                    .filter(|(_, v)| !v.bytes.is_empty())
                    .map(|(k, v)| {
                        let n = v.bytes.len();
                        format!(
                            "case {k}: __builtin_memcpy(kerf_to, (unsigned char[]){{{}}}, {n}); return;",
                            bytes(&v.bytes)
                        )
                    })
                    .collect();
                let body = format!(
                    "static int kerf_next;\n    switch (kerf_next++) {{\n    {}\n    }}\n    kerf_path_left();",
                    cases.join("\n    ")
                );
                defined(out, "void", &name, function, "void *kerf_to", &body);
                continue;
            }
            let signature = self.files.iter().find_map(|(_, signatures)| signatures.of(function));
            let signature = signature.ok_or_else(|| format!("the program does not call {function}"))?;
            let (c_type, size) = signature.c_result(self.experiment.pointer_bits)?;
            if values.iter().any(|v| v.bytes.len() != size) {
                return Err(format!("{function}() returns {size} bytes, but the counterexample has others"));
            }
            let count = values.len();
            let body = match integers(c_type, values) {
                Some(list) => format!(
                    "static const {c_type} kerf_values[] = {{{list}}};\n    static int kerf_next;\n    if (kerf_next == {count}) kerf_path_left();\n    \
                     return kerf_values[kerf_next++];"
                ),
                None => {
                    let rows = values
                        .iter()
                        .map(|v| format!("        {{{}}}, /* {} */\n", bytes(&v.bytes), shown(c_type, &v.bytes)));
                    format!(
                        "static const unsigned char kerf_values[{count}][{size}] = {{\n{}    }};\n    static int kerf_next;\n    {c_type} kerf_value = 0;\n    \
                         if (kerf_next == {count}) kerf_path_left();\n    __builtin_memcpy(&kerf_value, kerf_values[kerf_next++], {size});\n    return kerf_value;",
                        rows.collect::<String>()
                    )
                }
            };
            defined(out, c_type, &name, function, "void", &body);
        }
        Ok(())
    }
}

/// Sets variables of the environment and the standard input before the program begins: declarations and statements.
fn surround(around: &Surroundings, out: &mut String, before: &mut String) -> Result<(), String> {
    if around.input.is_some() || !around.variables.is_empty() {
        out.push_str(SURROUNDINGS);
    }
    for (name, value) in &around.variables {
        let name = text_literal(name);
        let _ = match value {
            Some(value) => writeln!(before, "        kerf_set({name}, {}, 1);", text_literal(value)),
            None => writeln!(before, "        kerf_unset({name});"),
        };
    }
    if let Some(input) = &around.input {
        if input.len() > PIPE {
            return Err("the input is too long for a test".into());
        }
        let (bytes, n) = (bytes(input), input.len());
        let _ = writeln!(before, "        static const unsigned char kerf_stdin[] = {{{bytes}}};");
        let _ = writeln!(before, "        kerf_read_from(kerf_stdin, {n});");
    }
    Ok(())
}

/// Number of bytes that a pipe holds.
const PIPE: usize = 1 << 16;

/// A text as C writes it.
fn text_literal(text: &[u8]) -> String {
    let mut out = String::from("\"");
    for byte in text {
        match byte {
            b'"' | b'\\' | b'?' => out.extend(['\\', char::from(*byte)]),
            0x20..0x7f => out.push(char::from(*byte)),
            other => {
                let _ = write!(out, "\\{other:03o}");
            }
        }
    }
    out.push('"');
    out
}

/// A function with a name of the test's own, which the linker knows as `symbol`.
fn defined(out: &mut String, result: &str, name: &str, symbol: &str, parameters: &str, body: &str) {
    let _ = writeln!(out, "{result} {name}({parameters}) __asm__({});", literal(symbol));
    let _ = match body.contains('\n') {
        true => writeln!(out, "{result} {name}({parameters}) {{\n    {body}\n}}"),
        false => writeln!(out, "{result} {name}({parameters}) {{ {body} }}"),
    };
}

/// The values as integers of C, if their type is one of at most 64 bits.
fn integers(c_type: &str, values: &[&InputValue]) -> Option<String> {
    let is_integer = !matches!(c_type, "float" | "double" | "long double" | "__float128" | "void *" | "__int128");
    let suffix = if c_type == "long long" { "LL" } else { "" };
    let number = |v: &&InputValue| match (shown(c_type, &v.bytes), c_type) {
        // The least number of a type is no literal of it.
        (n, "long long") if n == i64::MIN.to_string() => "-9223372036854775807LL - 1".into(),
        (n, "int") if n == i32::MIN.to_string() => "-2147483647 - 1".into(),
        (n, _) => n + suffix,
    };
    is_integer.then(|| values.iter().map(number).collect::<Vec<_>>().join(", "))
}

/// A text without control characters.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn comment(plain: &str) -> String {
    plain.replace("*/", "* /").replace("/*", "/ *")
}

fn literal(plain: &str) -> String {
    format!("\"{}\"", plain.replace('\\', "\\\\").replace('"', "\\\""))
}

/// Functions of the system that the test calls.
const CALLED: [&str; 8] = ["fork", "waitpid", "prctl", "mmap", "alarm", "dprintf", "exit", "_exit"];

/// Further ones, for an environment and a standard input.
const SURROUNDING: [&str; 6] = ["setenv", "unsetenv", "pipe", "write", "dup2", "close"];

/// What the test needs for an environment and a standard input.
const SURROUNDINGS: &str = "\
int kerf_set(const char *, const char *, int) __asm__(\"setenv\");
int kerf_unset(const char *) __asm__(\"unsetenv\");
int kerf_pipe(int *) __asm__(\"pipe\");
long kerf_write(int, const void *, unsigned long) __asm__(\"write\");
int kerf_duplicate(int, int) __asm__(\"dup2\");
int kerf_close(int) __asm__(\"close\");

/* The bytes are the program's standard input. */
void kerf_read_from(const void *bytes, unsigned long n) {
    int ends[2];
    if (kerf_pipe(ends) || kerf_write(ends[1], bytes, n) < 0 || kerf_duplicate(ends[0], 0) < 0) kerf_path_left();
    kerf_close(ends[1]);
}
";

/// What stands before the program, so that no macro of it changes the meaning. The two processes share a page of memory: exit statuses
/// and files are the program's.
const HEAD: &str = "\
/* The system's functions, under names that no program has. */
int kerf_fork(void) __asm__(\"fork\");
int kerf_wait(int, int *, int) __asm__(\"waitpid\");
unsigned kerf_limit(unsigned) __asm__(\"alarm\");
int kerf_control(int, ...) __asm__(\"prctl\");
void *kerf_map(void *, unsigned long, int, int, int, long) __asm__(\"mmap\");
int kerf_print(int, const char *, ...) __asm__(\"dprintf\");
void kerf_end(int) __asm__(\"exit\");
void kerf_leave(int) __asm__(\"_exit\");

/* The program runs in a child process, for a minute at most. Whether it comes to the violation is in memory that both processes share. */
static volatile char *kerf_has_violated;
static int kerf_child;

static int kerf_is_child(void) {
    kerf_has_violated = kerf_map(0, 1, 3 /* read and write */, 0x21 /* shared, no file */, -1, 0);
    kerf_child = kerf_fork();
    if (kerf_child == 0) {
        kerf_control(1, 9 /* is killed with its parent */);
        kerf_limit(60);
    }
    return kerf_child == 0;
}

/* To be called in the parent process. */
static int kerf_fails(const char *message) {
    int status;
    if (kerf_child < 0 || kerf_wait(kerf_child, &status, 0) < 0) {
        kerf_print(2, \"the program cannot be run\\n\");
        return 2;
    }
    if (*kerf_has_violated) kerf_print(2, \"%s\\n\", message);
    return *kerf_has_violated;
}

static void kerf_violated(void) {
    *kerf_has_violated = 1;
    kerf_leave(1);
}

/* The execution is no longer that of the counterexample. */
static void kerf_path_left(void) { kerf_leave(0); }

/* The program under test. */
#define main kerf_program_main
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_from_the_test_to_the_source() {
        let path = |from: &str, to: &str| relative(Path::new(from), Path::new(to));
        assert_eq!(path("/a/tests", "/a/src/x.c"), "../src/x.c");
        assert_eq!(path("/a", "/a/x.c"), "x.c");
        assert_eq!(path("/a/b/c", "/d/x.c"), "../../../d/x.c");
    }

    #[test]
    fn the_least_integers_are_expressions() {
        let value = |bytes: &[u8]| InputValue { function: "f".into(), channel: Channel::Result, bytes: bytes.into() };
        let (least, other) = (value(&i32::MIN.to_le_bytes()), value(&(-7i32).to_le_bytes()));
        assert_eq!(integers("int", &[&least, &other]).as_deref(), Some("-2147483647 - 1, -7"));
        assert_eq!(integers("double", &[&other]), None);
    }
}
