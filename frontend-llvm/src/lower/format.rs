//! Formats of the printing functions, and addresses that library functions give away.
//!
//! The models do not handle `%n`, which stores a count through a pointer, so a call with `%n` becomes unsupported here, where the
//! format can be read. Addresses that are printed or written to a file are recorded, because they may come back from there.

use super::body::Body;
use super::call::CallSite;
use cfa::{Assumed, InputKind, Term, Unsupported};

/// Functions whose models ignore their format, or read it twice, and the index of the format argument.
const PRINTING: [(&str, usize); 21] = [
    ("printf", 0),
    ("vprintf", 0),
    ("fprintf", 1),
    ("vfprintf", 1),
    ("dprintf", 1),
    ("__printf_chk", 1),
    ("__vprintf_chk", 1),
    ("__fprintf_chk", 2),
    ("__vfprintf_chk", 2),
    ("asprintf", 1),
    ("vasprintf", 1),
    ("__asprintf_chk", 2),
    ("__vasprintf_chk", 2),
    ("warn", 0),
    ("warnx", 0),
    ("vwarn", 0),
    ("vwarnx", 0),
    ("err", 1),
    ("errx", 1),
    ("verr", 1),
    ("verrx", 1),
];

/// Functions that print formatted text into memory, and the index of the format argument.
const PRINTING_TO_MEMORY: [(&str, usize); 6] =
    [("sprintf", 1), ("snprintf", 2), ("vsprintf", 1), ("vsnprintf", 2), ("__sprintf_chk", 3), ("__snprintf_chk", 4)];

/// Beginnings of the names of functions that give nothing away: they compare, copy, search, sort, classify or convert what is in
/// memory, or use what they keep there themselves, such as locks.
const KEEPING: [&str; 14] = [
    "mem",
    "str",
    "qsort",
    "bsearch",
    "wmem",
    "wcs",
    "ato",
    "is",
    "to",
    "getopt",
    "pthread_mutex_",
    "pthread_rwlock_",
    "pthread_spin_",
    "pthread_cond_",
];

/// More functions that give nothing away; those that read files only write to memory.
const ALSO_KEEPING: [&str; 20] = [
    "basename",
    "clearerr",
    "dirname",
    "feof",
    "ferror",
    "fgetc",
    "fgets",
    "fread",
    "getc",
    "getdelim",
    "getline",
    "pthread_once",
    "read",
    "sem_destroy",
    "sem_getvalue",
    "sem_init",
    "sem_post",
    "sem_trywait",
    "sem_wait",
    "__xpg_basename",
];

/// Functions with such names that keep what they get elsewhere.
const KEPT_ELSEWHERE: [&str; 6] = ["strftime", "strerror", "strerror_r", "strtok", "strsignal", "wcsftime"];

/// Whether nothing leaves the program by a call of this library function.
fn keeps_all(name: &str) -> bool {
    let keeps = KEEPING.iter().any(|part| name.starts_with(part)) || ALSO_KEEPING.contains(&name);
    keeps && !KEPT_ELSEWHERE.contains(&name)
}

/// Whether a format prints an address.
fn shows_address(format: &str) -> bool {
    has_conversion(format, 'p')
}

/// Whether a format stores a count.
fn stores_count(format: &str) -> bool {
    has_conversion(format, 'n')
}

/// Whether a conversion of the format ends in this letter; flags, width, precision and size may precede the letter.
fn has_conversion(format: &str, letter: char) -> bool {
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        // Sizes of glibc and of C23 are among them: `Z`, `w32`, and `wf32`, the only one with a letter that is a conversion, too.
        let is_before = |c: char| c.is_ascii_digit() || "-+ #'I$*.hlLqjztZw".contains(c);
        let all = &rest[at + 1..];
        rest = all.trim_start_matches(is_before);
        if all[..all.len() - rest.len()].ends_with('w') && rest.starts_with('f') {
            rest = rest[1..].trim_start_matches(is_before);
        }
        if rest.starts_with(letter) {
            return true;
        }
        let mut after = rest.chars();
        after.next();
        rest = after.as_str();
    }
    false
}

impl<'m> Body<'_, '_, 'm> {
    /// If `site` calls the model of a printing function, makes a format with `%n` unsupported, and assumes that a non-constant
    /// format does not contain `%n`. Where it could, because a pointer is printed, no alarm rests on that.
    pub(super) fn check_format(&mut self, site: &CallSite<'m>) {
        let Some(&(_, i)) = PRINTING.iter().find(|(name, _)| *name == site.name) else { return };
        match self.string_arg(site, i) {
            Some(format) if stores_count(&format) => {
                let reason = format!("%n in a format of {}", site.name);
                self.unsupported(Unsupported { may_call: false, ..Unsupported::opaque(reason) });
            }
            Some(_) => {}
            None => {
                let e = self.skip();
                self.cx.assume_where(e, Assumed::NoCountingFormat);
                let args = site.inst.map(|call| call.call_args()).unwrap_or_default();
                // A list of arguments does not say what they are; most hold no place for a count.
                let is_list = site.name.trim_start_matches('_').starts_with('v');
                if !is_list && args.iter().skip(i + 1).any(|arg| arg.ty().is_pointer()) {
                    self.no_alarm_from_here(&format!("the format of {}", site.name));
                }
            }
        }
    }

    /// Lets only those executions continue that depend on an approximation, as which no alarm counts.
    pub(super) fn no_alarm_from_here(&mut self, of: &str) {
        let goes_on = self.input("goes_on", 1, InputKind::Approximate(of.into()));
        let goes_on = self.terms().nonzero(goes_on);
        self.assume_user(goes_on);
    }
}

impl<'m> Body<'_, '_, 'm> {
    /// Records what leaves the program if `site` calls the model of a library function, and may come back from there: numbers, which may
    /// be addresses; the memory that it reads; addresses that it prints.
    pub(super) fn give_away(&mut self, site: &CallSite<'m>) {
        if self.cx.cfa.funcs[self.func].library || keeps_all(&site.name) {
            return;
        }
        let mut printing = PRINTING.iter().chain(&PRINTING_TO_MEMORY);
        let format = printing.find(|(name, _)| *name == site.name).map(|(_, i)| *i);
        let shows_addresses = format.is_some_and(|i| self.string_arg(site, i).is_none_or(|f| shows_address(&f)));
        // (value, whether it is the memory at that address that is given away)
        let mut given: Vec<(Term, bool)> = Vec::new();
        for (i, (vals, ty)) in site.args.iter().zip(&site.types).enumerate() {
            for &t in vals {
                if self.cx.cfa.terms.as_bv(t).is_some() {
                    continue;
                }
                given.push((t, ty.is_pointer()));
                if shows_addresses && format.is_some_and(|format| i > format) {
                    given.push((t, false));
                }
            }
        }
        given.extend(site.area.map(|area| (area, true)));
        if !given.is_empty() {
            let e = self.skip();
            self.cx.facts.given_away.insert(e, given);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::stores_count;

    #[test]
    fn counts_in_formats() {
        for format in ["%n", "a %hhn", "%d%5$n", "%%%ln", "é%-3n", "%Zn", "%w32n", "%wf16n"] {
            assert!(stores_count(format), "{format}");
        }
        for format in ["", "%", "n", "%%n", "%d\n", "%5%n", "100% sure no", "%fn"] {
            assert!(!stores_count(format), "{format}");
        }
    }
}
