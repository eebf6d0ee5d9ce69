//! The names by which C knows a function of a module.
//!
//! A function's linker name need not be its name in the source:
//!
//! - an asm label (`int f(void) __asm__("g")`) gives it another one;
//! - so do the headers of the C library (`scanf` becomes `__isoc99_scanf`);
//! - an alias is a second name;
//! - linking modules appends a number to the name of a static function that occurs in several files.
//!
//! Code that looks for the calls of a function by its name asks this module.

use crate::debug_info::function_name;
use crate::ir::{Linkage, Module, Value, ValueKind};
use crate::libc_names::is_libc;
use rustc_hash::{FxHashMap, FxHashSet};

/// The aliases of a module, keyed by the value that they stand for.
#[derive(Default)]
pub(crate) struct Symbols<'m> {
    aliases: FxHashMap<Value<'m>, Vec<String>>,
}

impl<'m> Symbols<'m> {
    /// Collects the aliases of `program`.
    pub(crate) fn of(program: &Module<'m>) -> Symbols<'m> {
        let mut symbols = Symbols::default();
        for alias in program.aliases() {
            let mut meant = alias.aliasee();
            // Follows an alias of an alias; LLVM rejects cycles.
            loop {
                meant = match meant.without_bitcasts() {
                    v if v.kind() == ValueKind::LLVMGlobalAliasValueKind => v.aliasee(),
                    v => break meant = v,
                };
            }
            symbols.aliases.entry(meant).or_default().push(plain(&alias.name()).to_string());
        }
        symbols
    }

    /// The aliases of a function.
    pub(crate) fn aliases(&self, function: Value<'m>) -> &[String] {
        self.aliases.get(&function).map_or(&[], Vec::as_slice)
    }

    /// All names of a function, each once: its linker name first, then its source name if debug information has it or if its linker name
    /// is mangled from it, its aliases, and the names that the headers of the C library replaced.
    pub(crate) fn names(&self, function: Value<'m>) -> Vec<String> {
        let linked = function.name();
        let linked = plain(&linked);
        let mut names = vec![linked.to_string()];
        if function.linkage() == Linkage::Internal {
            names.extend(linked.split('.').next().map(str::to_string));
        }
        names.extend(unmangled(linked).filter(|name| !name.is_empty()).map(str::to_string));
        // For names in other languages, debug information has only the last part, which is too little to identify the function.
        names.extend(function_name(function).filter(|name| unmangled(linked).is_none_or(|plain| plain == name)));
        names.extend(self.aliases.get(&function).into_iter().flatten().cloned());
        let replaced: Vec<String> = names.iter().filter_map(|name| before_redirection(name)).collect();
        names.extend(replaced);
        let mut seen = FxHashSet::default();
        names.retain(|name| seen.insert(name.clone()));
        names
    }
}

/// The name without the character `\x01`, LLVM's mark for names that must not be mangled.
pub(crate) fn plain(name: &str) -> &str {
    name.strip_prefix('\u{1}').unwrap_or(name)
}

/// Whether a name is mangled by C++ or Rust.
pub(crate) fn is_mangled(name: &str) -> bool {
    name.starts_with("_Z") || name.starts_with("_R")
}

/// The function that a mangled name denotes; empty if the function is in a namespace or class, `None` if the name is not mangled.
fn unmangled(name: &str) -> Option<&str> {
    let mangled = name.strip_prefix("_Z").or_else(|| name.strip_prefix("_R"))?;
    let digits = mangled.len() - mangled.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let length: usize = mangled[..digits].parse().unwrap_or(0);
    Some(mangled[digits..].get(..length).unwrap_or(""))
}

/// The function that the source calls where the headers of the C library turn the call into one of `name`.
fn before_redirection(name: &str) -> Option<String> {
    let strip = |prefix: &str| name.strip_prefix(prefix);
    let called = strip("__isoc99_")
        .or_else(|| strip("__isoc23_"))
        .or_else(|| strip("__").and_then(|rest| rest.strip_suffix("_chk")))
        .or_else(|| strip("_IO_"))
        .or_else(|| name.strip_suffix("64"))
        .or_else(|| strip("__xpg_"))
        .or_else(|| strip("__"))?;
    (is_libc(called) && is_libc(name)).then(|| called.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redirections_of_the_c_library() {
        let of = |name: &str| before_redirection(name).unwrap_or_default();
        assert_eq!(of("__isoc99_scanf"), "scanf");
        assert_eq!(of("__isoc23_strtol"), "strtol");
        assert_eq!(of("fopen64"), "fopen");
        assert_eq!(of("__printf_chk"), "printf");
        assert_eq!(of("strtol"), "");
        assert_eq!(of("mine64"), "");
    }

    #[test]
    fn mangled_names_say_plain_functions() {
        assert_eq!(unmangled("_Z11reach_errorv"), Some("reach_error"));
        assert_eq!(unmangled("_ZN2ns11reach_errorEv"), Some(""));
        assert_eq!(unmangled("reach_error"), None);
    }
}
