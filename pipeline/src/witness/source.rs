//! Positions in C text: where a call ends and where a statement begins.
//!
//! Debug information gives the position of the called name; witnesses want that of the closing bracket of the call, or of the first
//! character of the statement. Comments, texts and preprocessor lines are blank here. Nothing is guessed: where the text is not of
//! one of the forms below, there is no answer.

use std::collections::HashMap;

/// A position: line and column, both from 1, as debug information counts them.
pub(super) type Position = (u32, u32);

/// The sources of a program, each read once.
#[derive(Default)]
pub(super) struct Sources {
    files: HashMap<String, Text>,
}

impl Sources {
    /// The text of a file; empty if it cannot be read.
    pub(super) fn text(&mut self, file: &str) -> &Text {
        self.files.entry(file.to_string()).or_insert_with(|| Text::new(&std::fs::read(file).unwrap_or_default()))
    }
}

/// A text of C, without what is not code.
pub(super) struct Text {
    code: Vec<u8>,
    /// For each line, where it begins.
    lines: Vec<usize>,
}

/// What is blanked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Code,
    LineComment,
    Comment,
    Quotes(u8),
    Directive,
}

impl Text {
    /// Reads a text.
    pub(super) fn new(text: &[u8]) -> Text {
        let mut code = text.to_vec();
        let (mut within, mut begins_line, mut i) = (Within::Code, true, 0);
        while i < code.len() {
            let (c, next) = (text[i], text.get(i + 1).copied().unwrap_or(b' '));
            if c == b'\n' {
                let goes_on = i > 0 && text[i - 1] == b'\\';
                if within != Within::Comment && !goes_on {
                    within = Within::Code;
                }
                begins_line = within == Within::Code;
                i += 1;
                continue;
            }
            let mut length = 1;
            match within {
                Within::Code if c == b'#' && begins_line => within = Within::Directive,
                Within::Code if (c, next) == (b'/', b'/') => within = Within::LineComment,
                Within::Code if (c, next) == (b'/', b'*') => (within, length) = (Within::Comment, 2),
                Within::Code if c == b'"' || c == b'\'' => within = Within::Quotes(c),
                Within::Code => {
                    begins_line &= c.is_ascii_whitespace();
                    i += 1;
                    continue;
                }
                Within::Comment if (c, next) == (b'*', b'/') => (within, length) = (Within::Code, 2),
                Within::Quotes(_) if c == b'\\' && next != b'\n' => length = 2,
                // The quotes of a text stay blank too; no form below contains one.
                Within::Quotes(q) if c == q => within = Within::Code,
                _ => {}
            }
            let end = (i + length).min(code.len());
            code[i..end].fill(b' ');
            i = end;
        }
        let newlines = text.iter().enumerate().filter(|(_, c)| **c == b'\n').map(|(i, _)| i + 1);
        Text { code, lines: std::iter::once(0).chain(newlines).collect() }
    }

    fn offset(&self, (line, column): Position) -> Option<usize> {
        let start = *self.lines.get(line.checked_sub(1)? as usize)?;
        let at = start + column.checked_sub(1)? as usize;
        let end = self.lines.get(line as usize).copied().unwrap_or(self.code.len() + 1);
        (at < end && at < self.code.len()).then_some(at)
    }

    fn position(&self, offset: usize) -> Position {
        let line = self.lines.partition_point(|start| *start <= offset);
        (line as u32, (offset - self.lines[line - 1] + 1) as u32)
    }

    /// The word at a position, if one begins there.
    pub(super) fn word(&self, at: Position) -> &str {
        let Some(at) = self.offset(at) else { return "" };
        if at > 0 && is_word(self.code[at - 1]) {
            return "";
        }
        let length = self.code[at..].iter().take_while(|c| is_word(**c)).count();
        std::str::from_utf8(&self.code[at..at + length]).unwrap_or("")
    }

    /// The closing bracket of the call whose name begins at a position.
    pub(super) fn call_end(&self, at: Position) -> Option<Position> {
        Some(self.position(self.call_end_offset(at)?))
    }

    fn call_end_offset(&self, at: Position) -> Option<usize> {
        let length = self.word(at).len();
        let open = self.skip(self.offset(at)? + length)?;
        (length > 0 && self.code[open] == b'(').then(|| self.closing(open)).flatten()
    }

    /// The closing bracket of the condition of `if`, `while`, `for` or `switch` at a position.
    pub(super) fn condition_end(&self, at: Position) -> Option<Position> {
        matches!(self.word(at), "if" | "while" | "for" | "switch").then(|| self.call_end(at)).flatten()
    }

    /// Whether there is a `!` other than that of `!=` between two positions.
    pub(super) fn has_negation(&self, begin: Position, end: Position) -> bool {
        let (Some(begin), Some(end)) = (self.offset(begin), self.offset(end)) else { return true };
        (begin..end).any(|i| self.code[i] == b'!' && self.code.get(i + 1) != Some(&b'='))
    }

    /// The first position from `at` on that belongs to code and is not blank.
    fn skip(&self, at: usize) -> Option<usize> {
        Some(at + self.code.get(at..)?.iter().position(|c| !c.is_ascii_whitespace())?)
    }

    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0;
        for (i, c) in self.code.iter().enumerate().skip(open) {
            match c {
                b'(' => depth += 1,
                b')' if depth == 1 => return Some(i),
                b')' => depth -= 1,
                b';' if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }

    fn opening(&self, close: usize) -> Option<usize> {
        let mut depth = 0;
        for i in (0..=close).rev() {
            match self.code[i] {
                b')' => depth += 1,
                b'(' if depth == 1 => return Some(i),
                b'(' => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// The last character before `at` that is not blank.
    fn before(&self, at: usize) -> Option<usize> {
        self.code[..at].iter().rposition(|c| !c.is_ascii_whitespace())
    }

    /// The word that ends at an offset.
    fn word_ending(&self, end: usize) -> &str {
        let length = self.code[..=end].iter().rev().take_while(|c| is_word(**c)).count();
        std::str::from_utf8(&self.code[end + 1 - length..=end]).unwrap_or("")
    }

    /// Whether the call of `name` at a position is the whole right side of an assignment or initialisation that is a statement.
    pub(super) fn is_assigned(&self, at: Position, name: &str) -> bool {
        let is = || {
            let (start, end) = (self.offset(at)?, self.call_end_offset(at)?);
            let ends = self.code[self.skip(end + 1)?] == b';';
            let equals = self.before(start)?;
            let is_plain = equals > 0 && !b"=!<>+-*/%&|^".contains(&self.code[equals - 1]);
            Some(ends && self.code[equals] == b'=' && is_plain)
        };
        self.word(at) == name && is() == Some(true)
    }

    /// Whether a statement that is an expression begins at a position.
    pub(super) fn begins_statement(&self, at: Position) -> bool {
        let is = || {
            let start = self.offset(at)?;
            let last = self.before(start)?;
            Some(match self.code[last] {
                b';' => !self.in_brackets(last),
                b'{' | b'}' => true,
                b')' => {
                    let open = self.opening(last)?;
                    let word = self.word_ending(self.before(open)?);
                    matches!(word, "if" | "while" | "for" | "switch")
                }
                // A label, not the second half of a choice.
                b':' => {
                    let begin = self.code[..last].iter().rposition(|c| b";{}".contains(c)).map_or(0, |i| i + 1);
                    !self.code[begin..last].contains(&b'?')
                }
                _ => matches!(self.word_ending(last), "else" | "do"),
            })
        };
        !self.word(at).is_empty() && is() == Some(true)
    }

    /// Whether an offset lies in brackets, such as those after `for`.
    fn in_brackets(&self, at: usize) -> bool {
        let mut depth = 0;
        for c in self.code[..at].iter().rev() {
            match c {
                b')' => depth += 1,
                b'(' if depth == 0 => return true,
                b'(' => depth -= 1,
                b'{' | b'}' => return false,
                _ => {}
            }
        }
        false
    }

    /// The semicolon that ends the simple statement which begins at a position, or the bracket that ends the condition of another one.
    pub(super) fn statement_end(&self, at: Position) -> Option<Position> {
        if let Some(end) = self.condition_end(at) {
            return Some(end);
        }
        let mut depth = 0;
        for (i, c) in self.code.iter().enumerate().skip(self.offset(at)?) {
            match c {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' if depth == 0 => return None,
                b')' | b']' | b'}' => depth -= 1,
                b';' if depth == 0 => return Some(self.position(i)),
                _ => {}
            }
        }
        None
    }
}

fn is_word(c: u8) -> bool {
    c.is_ascii_alphanumeric() || c == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The position of the n-th occurrence of `what` in `text`.
    fn find(text: &str, what: &str, n: usize) -> Position {
        let (at, _) = text.match_indices(what).nth(n).expect(what);
        let line = text[..at].matches('\n').count();
        (line as u32 + 1, (at - text[..at].rfind('\n').map_or(0, |i| i + 1)) as u32 + 1)
    }

    #[test]
    fn calls_end_at_their_bracket() {
        let source = "int x = f ( g(1), /* ) */ \")\", ')' ) ; // f(\n#define f(\nx = f(\n2);";
        let text = Text::new(source.as_bytes());
        assert_eq!(text.call_end((1, 9)), Some(find(source, ") ;", 0)));
        assert_eq!(text.call_end((1, 13)), Some(find(source, "),", 0)));
        assert_eq!(text.call_end((3, 5)), Some((4, 2)));
        assert_eq!(text.call_end((1, 10)), None);
        assert_eq!(text.call_end((2, 9)), None);
        assert_eq!(text.call_end((9, 9)), None);
        assert!(text.is_assigned((3, 5), "f") && text.is_assigned((1, 9), "f"));
        assert!(!text.is_assigned((1, 13), "g") && !text.is_assigned((3, 5), "g"));
    }

    #[test]
    fn only_whole_right_sides_are_assigned() {
        let is = |source: &str| Text::new(source.as_bytes()).is_assigned(find(source, "f(", 0), "f");
        assert!(is("int a=f();"));
        for other in
            ["x += f();", "x = f() + 1;", "x == f();", "f();", "x = (char)f();", "while (f()) ;", "x = 1 + f();"]
        {
            assert!(!is(other), "{other}");
        }
    }

    #[test]
    fn statements_begin_after_their_context() {
        let is = |source: &str| Text::new(source.as_bytes()).begins_statement(find(source, "f(", 0));
        for good in [
            "{ f(); }",
            "x; f();",
            "if (x) f();",
            "else f();",
            "L: f();",
            "case 3: f();",
            "while (g(1)) f();",
            "} f();",
        ] {
            assert!(is(good), "{good}");
        }
        for bad in ["x = f();", "; (void) f();", "; a ? b : f();", "for (a; f(); )", "; a, f();", "; g(f());"] {
            assert!(!is(bad), "{bad}");
        }
    }
}
