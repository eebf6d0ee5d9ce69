//! Names of the runtime libraries of C++ and Rust, recognised by the form that compilers give them.
//!
//! An undefined function of one of these libraries has an effect that programs rely on, like a function of the C library, so it
//! is unsupported without a model. The mangling schemes are the Itanium C++ ABI (section 5.1), Rust's legacy scheme, which
//! derives from it, and Rust's own scheme "v0" (RFC 2603).

use crate::libc_names::is_libc;

/// Rust's standard crates.
const CRATES: [&str; 5] = ["core", "alloc", "std", "proc_macro", "test"];

/// Whether `name` belongs to a library that programs rely on: of C, C++ or Rust.
pub(crate) fn is_of_a_library(name: &str) -> bool {
    is_libc(name) || is_of_cxx(name) || is_of_rust(name)
}

/// Functions of the C library and of POSIX that call functions of the program, or may cause such calls later: what they are given for that,
/// handlers of signals, and what runs at the end. What `dlopen` loads is like an undefined function: it is assumed to call none.
const CALLING_BACK: &str = "abort aio_read aio_write aio_fsync argp_parse at_quick_exit atexit bsearch bsd_signal call_once clone \
    dl_iterate_phdr error error_at_line exit err errx verr verrx fopencookie fork forkpty ftw ftw64 funopen \
    getaddrinfo_a getcontext glob glob64 gsignal kill killpg lfind lio_listio lio_listio64 longjmp lsearch makecontext mq_notify mtrace nftw \
    nftw64 on_exit pause poll ppoll pselect pthread_atfork pthread_cancel pthread_create pthread_exit \
    pthread_join pthread_key_create pthread_kill pthread_once pthread_sigqueue pthread_setcancelstate pthread_testcancel qsort qsort_r \
    quick_exit raise register_printf_function register_printf_modifier register_printf_specifier register_printf_type scandir scandir64 \
    scandirat select setcontext sigaction sighold signal sigpause sigprocmask sigqueue sigrelse sigset sigsuspend sigvec sigwait ssignal \
    swapcontext sysv_signal tdelete tdestroy tfind thrd_create thrd_exit timer_create tsearch tss_create twalk twalk_r vfork";

/// Whether the library function `name` may call functions of the program, now or later. One whose name begins with an underscore may be any.
pub(crate) fn calls_back(name: &str) -> bool {
    !is_libc(name) || name.starts_with('_') || CALLING_BACK.split_whitespace().any(|n| n == name)
}

/// Whether the result of a library function without a model depends on which exceptions operations on floats have raised.
pub(crate) fn reads_exceptions(name: &str) -> bool {
    ["fegetexceptflag", "fegetenv", "feholdexcept", "feupdateenv"].contains(&name)
}

/// Functions of which compilers make calls where a program has none, from copies, loops, and calls of other functions.
const MADE: &str = "memcpy mempcpy memccpy memmove memset memchr memrchr memcmp bcmp bzero malloc calloc free strlen strnlen wcslen \
    strchr strrchr strcmp strncmp strcpy strncpy stpcpy stpncpy strcat strdup putchar puts fputc fputs fwrite putc printf sprintf \
    snprintf fprintf vsnprintf __stack_chk_fail _Unwind_Resume";

/// The same, from operations on floating-point numbers: for `double`, for `float` with an `f` at the end, for `long double` with an `l`.
const MATHEMATICS: &str = "acos asin atan atan2 cbrt ceil copysign cos cosh exp exp10 exp2 expm1 fabs floor fma fmax fmaximum fmin \
    fminimum fmod frexp ldexp llrint llround log log10 log1p log2 lrint lround modf nearbyint pow remainder rint round roundeven sin \
    sincos sinh sqrt tan tanh trunc";

/// Whether compilers may make calls of the function `name` where the program has none (LLVM's `RuntimeLibcalls` and `BuildLibCalls`).
pub(crate) fn is_called_by_compilers(name: &str) -> bool {
    let is_in = |list: &str, name: &str| list.split_whitespace().any(|n| n == name);
    // Compilers' own libraries name operations so: __divdi3, __addtf3, __truncdfhf2.
    let is_operation = |rest: &str| {
        let plain = rest.strip_suffix(['2', '3', '4']);
        plain.is_some_and(|op| op.starts_with(|c: char| c.is_ascii_lowercase()) && !op.contains('_'))
            || ["sync_", "atomic_", "fix", "float", "gnu_"].iter().any(|begin| rest.starts_with(begin))
    };
    is_in(MADE, name)
        || is_in(MATHEMATICS, name)
        || name.strip_suffix(['f', 'l']).is_some_and(|n| is_in(MATHEMATICS, n))
        || name.strip_prefix("__").is_some_and(is_operation)
}

fn is_of_cxx(name: &str) -> bool {
    const BEGINNINGS: [&str; 5] = ["__cxa_", "__gxx_", "_Unwind_", "__dynamic_cast", "__cxx_"];
    if BEGINNINGS.iter().any(|b| name.starts_with(b)) {
        return true;
    }
    let Some(mangled) = name.strip_prefix("_Z") else { return false };
    // Forms of operator new and delete that the front-end does not know.
    if ["nw", "na", "dl", "da"].iter().any(|op| mangled.starts_with(op)) {
        return true;
    }
    let path = match mangled.strip_prefix('N') {
        Some(nested) => nested.trim_start_matches(['r', 'V', 'K', 'R', 'O']),
        None => mangled,
    };
    const NAMESPACES: [&str; 9] = ["St", "Sa", "Sb", "Ss", "Si", "So", "Sd", "9__gnu_cxx", "10__cxxabiv1"];
    NAMESPACES.iter().any(|n| path.starts_with(n))
}

fn is_of_rust(name: &str) -> bool {
    const BEGINNINGS: [&str; 6] =
        ["__rust_", "__rdl_", "__rg_", "rust_begin_unwind", "rust_eh_personality", "rust_panic"];
    if BEGINNINGS.iter().any(|b| name.starts_with(b)) {
        return true;
    }
    match rust_path(name) {
        Some((krate, _)) if CRATES.contains(&krate) || krate == "__rustc" => true,
        // An implementation for a type, `<alloc::string::String as ...>`: in the legacy scheme no crate name precedes it.
        Some((krate, _)) => krate.starts_with("_$LT$") || krate.starts_with("$LT$"),
        None => false,
    }
}

/// The crate of a mangled Rust name and the text after it: the lengths and names of the path's parts, and whatever follows.
fn rust_path(name: &str) -> Option<(&str, &str)> {
    if let Some(legacy) = name.strip_prefix("_ZN") {
        // The last part is a hash: 17h and 16 hexadecimal digits.
        let hash = name.strip_suffix('E')?.rsplit_once("17h")?.1;
        let is_hash = hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit());
        return if is_hash { part(legacy) } else { None };
    }
    // The first crate root in a path is that of the function itself or of the implementation that contains it.
    let path = name.strip_prefix("_R")?;
    path.match_indices('C').find_map(|(at, _)| {
        let root = &path[at + 1..];
        let disambiguated = root.strip_prefix('s').and_then(|r| r.split_once('_')).map(|(_, rest)| rest);
        disambiguated.and_then(part).or_else(|| part(root))
    })
}

/// A name that is preceded by its length, and the text after it.
fn part(text: &str) -> Option<(&str, &str)> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let length: usize = text[..digits].parse().ok()?;
    let name = text.get(digits..digits + length)?;
    // If the name begins with a digit or an underscore, the v0 scheme inserts an underscore before it.
    match text[digits..].strip_prefix('_') {
        Some(_) if !name.starts_with("_$LT$") => {
            Some((text.get(digits + 1..digits + 1 + length)?, &text[digits + 1 + length..]))
        }
        _ => Some((name, &text[digits + length..])),
    }
}

/// Whether a call of `name` is a Rust panic.
pub(crate) fn is_panic(name: &str) -> bool {
    if name == "rust_begin_unwind" || name == "rust_panic" {
        return true;
    }
    let Some((krate, path)) = rust_path(name) else { return false };
    let begins = |beginning: &[&str]| beginning.iter().any(|b| path.starts_with(b));
    match krate {
        "core" => {
            begins(&["9panicking", "6option13unwrap_failed", "6option13expect_failed", "6result13unwrap_failed"])
                || path.starts_with("5slice5index") && path.contains("_fail")
                || path.starts_with("3str16slice_error_fail")
                || path.starts_with("4cell") && path.contains("panic_already")
        }
        "std" => begins(&[
            "9panicking11begin_panic",
            "9panicking19begin_panic",
            "9panicking15rust_panic",
            "2rt11begin_panic",
            "2rt10begin_panic",
        ]),
        _ => false,
    }
}

/// The plain name of a Rust function that the compiler itself calls or generates: those of the allocator (`__rust_alloc`),
/// `lang_start`, `process::exit` and `process::abort`. Other names are returned unchanged.
pub(crate) fn compiler_name(name: &str) -> &str {
    let Some((krate, path)) = rust_path(name) else { return name };
    let Some((module, rest)) = part(path) else { return name };
    if krate == "__rustc" {
        return module;
    }
    let Some((function, suffix)) = part(rest) else { return name };
    // Whether this is the function itself, not one of its closures.
    let itself = name.starts_with("_RNvNt") || name.starts_with("_RINvNt") || suffix.starts_with("17h");
    match (krate, module, function) {
        ("std", "rt", "lang_start") if itself => "lang_start",
        ("std", "process", "exit") if itself => "exit",
        ("std", "process", "abort") if itself => "abort",
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_that_compilers_make() {
        for name in [
            "memset",
            "strlen",
            "puts",
            "floor",
            "floorf",
            "fmal",
            "__divdi3",
            "__addtf3",
            "__truncdfhf2",
            "__udivmodti4",
        ] {
            assert!(is_called_by_compilers(name), "{name}");
        }
        for name in
            ["main", "memsetf", "reach_error", "f", "__f", "__VERIFIER_nondet_int", "__my_step2", "accept", "index"]
        {
            assert!(!is_called_by_compilers(name), "{name}");
        }
    }

    #[test]
    fn libraries_of_other_languages() {
        for name in [
            "_ZSt20__throw_length_errorPKc",
            "_ZNSt6vectorIiSaIiEE9push_backEOi",
            "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE4sizeEv",
            "_ZNSolsEi",
            "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc",
            "__cxa_begin_catch",
            "_ZnwmSt11align_val_tRKSt9nothrow_t",
            "__rust_realloc",
            "_ZN4core9panicking5panic17h0123456789abcdefE",
            "_ZN3std2rt19lang_start_internal17h0123456789abcdefE",
            "_ZN60_$LT$alloc..string..String$u20$as$u20$core..fmt..Display$GT$3fmt17h0123456789abcdefE",
            "_RNvNtCsgEmfK2I1SDS_4core9panicking5panic",
            "_RNvMs2_NtCslNYArtu3iFV_5alloc7raw_vecNtB5_11RawVecInner10deallocateCsduwmD7cSIQq_5gimli",
            "_RNvCsdBezzDwma51_7___rustc12___rust_alloc",
        ] {
            assert!(is_of_a_library(name), "{name}");
        }
        for name in
            ["_Z5inputv", "_ZN2ns5inputEv", "input", "_RNvCs1234_4mine5input", "_ZN4mine5input17h0123456789abcdefE"]
        {
            assert!(!is_of_a_library(name), "{name}");
        }
    }

    #[test]
    fn what_calls_back() {
        assert!(CALLING_BACK.split_whitespace().all(is_libc));
        assert!(calls_back("qsort") && calls_back("_obstack_begin") && calls_back("_ZSt4sortv"));
        assert!(!calls_back("freopen") && !calls_back("strtod"));
    }

    #[test]
    fn panics() {
        for name in [
            "_RNvNtCsgEmfK2I1SDS_4core9panicking5panic",
            "_RINvNtCsgEmfK2I1SDS_4core9panicking13assert_failedllECs1_1a",
            "_ZN4core9panicking18panic_bounds_check17h0123456789abcdefE",
            "_ZN4core6option13unwrap_failed17h0123456789abcdefE",
        ] {
            assert!(is_panic(name), "{name}");
        }
        assert!(!is_panic("_ZN3std9panicking3try17h0123456789abcdefE") && !is_panic("panic"));
    }

    #[test]
    fn what_the_compiler_calls() {
        assert_eq!(compiler_name("_RNvCsdBezzDwma51_7___rustc12___rust_alloc"), "__rust_alloc");
        assert_eq!(compiler_name("_ZN3std2rt10lang_start17h0123456789abcdefE"), "lang_start");
        assert_eq!(compiler_name("_RINvNtCsjrHSEGnQ3l9_3std2rt10lang_startuECs1_1a"), "lang_start");
        assert_eq!(
            compiler_name("_RNvNtCsjrHSEGnQ3l9_3std2rt19lang_start_internal"),
            "_RNvNtCsjrHSEGnQ3l9_3std2rt19lang_start_internal"
        );
        assert_eq!(compiler_name("_RNvNtCsjrHSEGnQ3l9_3std7process4exit"), "exit");
        assert_eq!(compiler_name("malloc"), "malloc");
        let closure = "_RNCINvNtCsjrHSEGnQ3l9_3std2rt10lang_startuE0Cs2yKp7xUVB4o_2r1";
        assert_eq!(compiler_name(closure), closure);
    }
}
