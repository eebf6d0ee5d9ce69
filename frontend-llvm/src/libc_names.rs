//! Names of the C library, of POSIX, and of the functions to which glibc's headers redirect calls.
//!
//! An undefined function with one of these names has an effect that programs rely on, so it is unsupported without a model. Any
//! other undefined function is assumed to return an arbitrary value and to change nothing.

use std::sync::LazyLock;

/// The names, sorted.
static NAMES: LazyLock<Vec<&str>> =
    LazyLock::new(|| include_str!("../library/names.txt").lines().filter(|line| !line.starts_with('#')).collect());

/// All names.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().copied()
}

/// Whether `name` belongs to the C library.
pub(crate) fn is_libc(name: &str) -> bool {
    NAMES.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_known() {
        assert!(NAMES.is_sorted_by(|a, b| a < b), "sorted, each once");
        for name in ["printf", "qsort_r", "scandir", "__cxa_atexit", "open_memstream", "dl_iterate_phdr"] {
            assert!(is_libc(name), "{name}");
        }
        assert!(!is_libc("input") && !is_libc("# Functions"));
    }
}
