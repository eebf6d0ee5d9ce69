//! Names of the C library, of POSIX and of what glibc's headers turn calls into.
//!
//! An undefined function with one of these names does something that everybody relies on, so that without a model it is
//! unsupported; any other undefined function is taken to return anything and change nothing.

use std::sync::LazyLock;

/// Sorted.
static NAMES: LazyLock<Vec<&str>> =
    LazyLock::new(|| include_str!("../library/names.txt").lines().filter(|line| !line.starts_with('#')).collect());

/// All of them.
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
