//! Slicing criteria in terms of the source: their syntax, and what they name in a CFA.
//!
//! Criteria are separated by commas. Each is one of
//!
//! | text | names |
//! |---|---|
//! | `f`, `f()` | the calls of `f`, with the values passed |
//! | `12`, `line:12` | what line 12 does |
//! | `12:x` | the variable `x` (or a part of it, `x.next`) where line 12 accesses it, else its value before that line |
//! | `:x` | the global variable `x` wherever it is accessed |
//! | `ret` | what the entry function returns |
//!
//! and may be restricted to a function, `g@12:x`, to a file, `a.c:12:x`, or to a line, `12:f()`. Line and variable are those of
//! Weiser's criteria ("Program slicing", ICSE 1981); the calls of a function are those of Symbiotic and dg; the assume edges of a
//! path ([`of_path`]) are those of target-path slicing [Lemberger 2018, 3.2].
//!
//! A criterion that names nothing is an error, which lists what it might have meant: a slice for nothing is the empty
//! program, which would look like a valid answer.

mod resolve;

pub(crate) use resolve::near;
pub use resolve::{after, is_end_of_path, of_bodies, of_path, of_targets, resolve};

use std::fmt;

/// A criterion as the user wrote it, before it is looked up in a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// Restricts it to this file (its path, or the last components of it).
    pub file: Option<String>,
    /// Restricts it to this function.
    pub function: Option<String>,
    /// Restricts it to this line.
    pub line: Option<u32>,
    /// What it names there.
    pub what: Wanted,
}

/// What a criterion names within the file, function and line to which it is restricted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// Calls of a function.
    Calls(String),
    /// Everything that is executed there.
    Everything,
    /// A variable.
    Variable(String),
    /// A global variable, wherever it is accessed.
    Global(String),
    /// The result of the entry function.
    Return,
}

/// Why a criterion could not be read or resolved. The text is one line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CriterionError {
    /// The criterion as it was written.
    pub criterion: String,
    /// What is wrong with it, and how to fix it.
    pub reason: String,
}

impl fmt::Display for CriterionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "criterion '{}': {}", self.criterion, self.reason)
    }
}

impl std::error::Error for CriterionError {}

impl CriterionError {
    fn new(criterion: impl fmt::Display, reason: impl Into<String>) -> CriterionError {
        CriterionError { criterion: criterion.to_string(), reason: reason.into() }
    }
}

impl Request {
    /// `what`, without restriction to a place.
    pub fn anywhere(what: Wanted) -> Request {
        Request { file: None, function: None, line: None, what }
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(function) = &self.function {
            write!(f, "{function}@")?;
        }
        if let Some(file) = &self.file {
            write!(f, "{file}:")?;
        }
        let line = |f: &mut fmt::Formatter<'_>, suffix: &str| match self.line {
            Some(line) => write!(f, "{line}{suffix}"),
            None => Ok(()),
        };
        match &self.what {
            Wanted::Calls(name) if self.line.is_none() && name != "ret" => f.write_str(name),
            Wanted::Calls(name) => line(f, ":").and_then(|()| write!(f, "{name}()")),
            Wanted::Everything => line(f, ""),
            Wanted::Variable(name) => line(f, ":").and_then(|()| f.write_str(name)),
            Wanted::Global(name) => write!(f, ":{name}"),
            Wanted::Return => f.write_str("ret"),
        }
    }
}

/// Parses a list of criteria.
///
/// # Errors
/// An item of another form than the module's documentation lists; an empty list.
pub fn parse(text: &str) -> Result<Vec<Request>, CriterionError> {
    text.split(',').map(|item| parse_one(item.trim())).collect()
}

/// The functions whose calls are criteria. A front-end keeps the arguments of these calls even if the functions are undefined.
pub fn functions(requests: &[Request]) -> Vec<String> {
    let name = |r: &Request| match &r.what {
        Wanted::Calls(name) => Some(name.clone()),
        _ => None,
    };
    requests.iter().filter_map(name).collect()
}

/// The functions to which requests are restricted.
pub fn scopes(requests: &[Request]) -> Vec<String> {
    requests.iter().filter_map(|r| r.function.clone()).collect()
}

fn parse_one(item: &str) -> Result<Request, CriterionError> {
    let malformed = || {
        CriterionError::new(
            item,
            "not a criterion; it is FUNCTION, LINE, LINE:VARIABLE, FUNCTION@LINE:VARIABLE, FILE:LINE:VARIABLE, :GLOBAL or ret",
        )
    };
    let (function, rest) = match item.split_once('@') {
        Some((function, rest)) if is_name(function) => (Some(function.to_string()), rest),
        Some(_) => return Err(malformed()),
        None => (None, item),
    };
    let parts: Vec<&str> = rest.split(':').collect();
    let what = |text: &str| match text.strip_suffix("()") {
        Some(name) if is_name(name) => Some(Wanted::Calls(name.to_string())),
        Some(_) => None,
        None => is_variable(text).then(|| Wanted::Variable(text.to_string())),
    };
    let request = |file: &[&str], line: u32, what: Wanted| {
        let file = (!file.is_empty()).then(|| file.join(":"));
        (file.as_deref() != Some("")).then(|| Request { file, function: function.clone(), line: Some(line), what })
    };
    let found = match parts[..] {
        ["ret"] if function.is_none() => Some(Request::anywhere(Wanted::Return)),
        ["", name] if function.is_none() && is_variable(name) => {
            Some(Request::anywhere(Wanted::Global(name.to_string())))
        }
        ["line", line] => number(line).and_then(|line| request(&[], line, Wanted::Everything)),
        [text] => match number(text) {
            Some(line) => request(&[], line, Wanted::Everything),
            None => {
                let name = text.strip_suffix("()").unwrap_or(text);
                let what = Wanted::Calls(name.to_string());
                is_name(name).then(|| Request { function: function.clone(), ..Request::anywhere(what) })
            }
        },
        [ref file @ .., line] if number(line).is_some() => {
            number(line).and_then(|line| request(file, line, Wanted::Everything))
        }
        [ref file @ .., line, text] => match (number(line), what(text)) {
            (Some(line), Some(what)) => request(file, line, what),
            _ => None,
        },
        [] => None,
    };
    found.ok_or_else(malformed)
}

fn number(text: &str) -> Option<u32> {
    text.parse().ok().filter(|line| *line > 0)
}

/// Whether `text` can be the name of a function in C or LLVM.
fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '.'))
}

/// Whether `text` can name a variable or a part of one: `x`, `p.next`, `a[3].y`.
fn is_variable(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$' | '.'))
        && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | '[' | ']'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses `text`, and compares the list as it is displayed, or the error, with `expected`.
    fn check(text: &str, expected: &str) {
        let shown = match parse(text) {
            Ok(list) => list.iter().map(Request::to_string).collect::<Vec<_>>().join(","),
            Err(error) => error.criterion,
        };
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn every_form_is_read() {
        check("reach_error", "reach_error");
        check("reach_error(), f", "reach_error,f");
        check("12,line:12,a.c:12,f@12", "12,12,a.c:12,f@12");
        check("12:x,f@12:p.next,d/a.c:12:a[3]", "12:x,f@12:p.next,d/a.c:12:a[3]");
        check("12:g(),f@g,f@a.c:3:g()", "12:g(),f@g,f@a.c:3:g()");
        check(":x,ret,ret()", ":x,ret,ret()");
    }

    #[test]
    fn anything_else_is_refused() {
        for text in ["", "12:", "@3", "0", "x:y", "f@", "12:3x", "a b", ":", "a.c::x", "12:g(", ":3", "f@:x"] {
            check(text, text);
        }
        assert_eq!(
            parse("f,a b").unwrap_err().to_string(),
            "criterion 'a b': not a criterion; it is FUNCTION, LINE, LINE:VARIABLE, FUNCTION@LINE:VARIABLE, \
             FILE:LINE:VARIABLE, :GLOBAL or ret"
        );
    }
}
