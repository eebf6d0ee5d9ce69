//! Formats of the functions that print: the models leave out `%n`, which stores a count through a pointer, so that a call
//! with one becomes unsupported here, where the format can be read.

use super::body::Body;
use super::call::CallSite;
use cfa::Unsupported;

/// Functions whose models do not look at their format, and which argument that is.
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

/// Whether a format stores a count: flags, width, precision and size may stand between `%` and `n`.
fn stores_count(format: &str) -> bool {
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        rest = rest[at + 1..].trim_start_matches(|c: char| c.is_ascii_digit() || "-+ #'I$*.hlLqjzt".contains(c));
        if rest.starts_with('n') {
            return true;
        }
        let mut after = rest.chars();
        after.next();
        rest = after.as_str();
    }
    false
}

impl Body<'_, '_> {
    /// Where `site` calls the model of a function that prints: a format with `%n` is unsupported; that one which is not
    /// constant has none is an assumption.
    pub fn check_format(&mut self, site: &CallSite) {
        let Some(&(_, i)) = PRINTING.iter().find(|(name, _)| *name == site.name) else { return };
        match self.string_arg(site, i) {
            Some(format) if stores_count(&format) => {
                self.unsupported(Unsupported::opaque(format!("%n in a format of {}", site.name)));
            }
            Some(_) => {}
            None => {
                self.cx.assumed.insert("no format that is computed has %n".into());
            }
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
