//! Formats of the printing functions, and addresses that library functions give away.
//!
//! The models do not handle `%n`, which stores a count through a pointer, so a call with `%n` becomes unsupported here, where the
//! format can be read. Addresses that are printed or written to a file are recorded, because they may come back from there.

use super::body::Body;
use super::call::CallSite;
use cfa::{Assumed, Term, Unsupported};

/// Functions whose models ignore their format, and the index of the format argument.
const PRINTING: [(&str, usize); 9] = [
    ("printf", 0),
    ("vprintf", 0),
    ("fprintf", 1),
    ("vfprintf", 1),
    ("dprintf", 1),
    ("__printf_chk", 1),
    ("__vprintf_chk", 1),
    ("__fprintf_chk", 2),
    ("__vfprintf_chk", 2),
];

/// Functions that print formatted text into memory, and the index of the format argument.
const PRINTING_TO_MEMORY: [(&str, usize); 8] = [
    ("sprintf", 1),
    ("snprintf", 2),
    ("vsprintf", 1),
    ("vsnprintf", 2),
    ("asprintf", 1),
    ("vasprintf", 1),
    ("__sprintf_chk", 3),
    ("__snprintf_chk", 4),
];

/// Functions that write raw memory or a text to a file or to the environment, and the index of the address argument.
const WRITING: [(&str, usize); 9] = [
    ("fwrite", 0),
    ("fwrite_unlocked", 0),
    ("write", 1),
    ("puts", 0),
    ("fputs", 0),
    ("fputs_unlocked", 0),
    ("perror", 0),
    ("setenv", 1),
    ("system", 0),
];

/// Whether a format prints an address.
fn shows_address(format: &str) -> bool {
    has_conversion(format, 'p')
}

/// Whether a format prints a text, which may be the bytes of an address.
fn shows_text(format: &str) -> bool {
    has_conversion(format, 's')
}

/// Whether a format stores a count.
fn stores_count(format: &str) -> bool {
    has_conversion(format, 'n')
}

/// Whether a conversion of the format ends in this letter; flags, width, precision and size may precede the letter.
fn has_conversion(format: &str, letter: char) -> bool {
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        rest = rest[at + 1..].trim_start_matches(|c: char| c.is_ascii_digit() || "-+ #'I$*.hlLqjzt".contains(c));
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
    /// format does not contain `%n`.
    pub(super) fn check_format(&mut self, site: &CallSite<'m>) {
        let Some(&(_, i)) = PRINTING.iter().find(|(name, _)| *name == site.name) else { return };
        match self.string_arg(site, i) {
            Some(format) if stores_count(&format) => {
                self.unsupported(Unsupported::opaque(format!("%n in a format of {}", site.name)));
            }
            Some(_) => {}
            None => {
                let e = self.skip();
                self.cx.assume_where(e, Assumed::NoCountingFormat);
            }
        }
    }
}

impl<'m> Body<'_, '_, 'm> {
    /// Records the pointers that leave the program if `site` calls the model of a library function: an address that is printed,
    /// or memory that is written to a file, may come back from there.
    pub(super) fn give_away(&mut self, site: &CallSite<'m>) {
        let mut given: Vec<(Term, bool)> = Vec::new();
        if let Some(&(_, i)) = WRITING.iter().find(|(name, _)| *name == site.name) {
            given.extend(site.arg(i).ok().map(|t| (t, true)));
        }
        let mut printing = PRINTING.iter().chain(&PRINTING_TO_MEMORY);
        if let Some(&(_, i)) = printing.find(|(name, _)| *name == site.name)
            && self.string_arg(site, i).is_none_or(|format| shows_address(&format))
        {
            let list = site.name.contains("vf")
                || site.name.contains("vs")
                || site.name.contains("vp")
                || site.name.contains("va");
            given.extend(site.args.iter().skip(i + 1).flatten().map(|t| (*t, list)));
        }
        if let Some(&(_, i)) = PRINTING.iter().find(|(name, _)| *name == site.name)
            && self.string_arg(site, i).is_none_or(|format| shows_text(&format))
        {
            given.extend(site.args.iter().skip(i + 1).flatten().map(|t| (*t, true)));
        }
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
        for format in ["%n", "a %hhn", "%d%5$n", "%%%ln", "é%-3n"] {
            assert!(stores_count(format), "{format}");
        }
        for format in ["", "%", "n", "%%n", "%d\n", "%5%n", "100% sure no"] {
            assert!(!stores_count(format), "{format}");
        }
    }
}
