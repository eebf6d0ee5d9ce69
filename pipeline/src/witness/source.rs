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
    /// The lines of the preprocessor.
    directives: String,
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
        let mut directives = Vec::new();
        let (mut within, mut begins_line, mut i) = (Within::Code, true, 0);
        while i < code.len() {
            let (c, next) = (text[i], text.get(i + 1).copied().unwrap_or(b' '));
            if c == b'\n' {
                let goes_on = i > 0 && text[i - 1] == b'\\';
                if within != Within::Comment && !goes_on {
                    within = Within::Code;
                    directives.push(c);
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
            if within == Within::Directive {
                directives.extend_from_slice(&text[i..end]);
            }
            code[i..end].fill(b' ');
            i = end;
        }
        let newlines = text.iter().enumerate().filter(|(_, c)| **c == b'\n').map(|(i, _)| i + 1);
        let directives = String::from_utf8_lossy(&directives).into_owned();
        Text { code, directives, lines: std::iter::once(0).chain(newlines).collect() }
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

    /// Whether a name may mean something in a block that debug information does not know: an enumerator, a type, a declaration with
    /// `extern`, or a macro. It may where there is no text.
    pub(super) fn may_hide(&self, name: &str) -> bool {
        let declares =
            |macro_words: &[&str]| macro_words.contains(&name) && macro_words.iter().any(|w| is_declaring(w));
        let mut macros = self.macros();
        self.code.is_empty() || macros.any(|words| words[0] == name || declares(&words)) || self.declares(name)
    }

    /// The words of each macro; the first one is its name.
    fn macros(&self) -> impl Iterator<Item = Vec<&str>> {
        self.directives.lines().filter_map(|line| {
            let mut words = words(line.as_bytes());
            (words.next() == Some("define")).then(|| words.collect()).filter(|words: &Vec<&str>| !words.is_empty())
        })
    }

    /// Whether a declaration in a block that begins with one of three keywords contains a name.
    fn declares(&self, name: &str) -> bool {
        let (mut depth, mut end) = (0, 0);
        let mut is_declared = false;
        for (i, c) in self.code.iter().enumerate() {
            match c {
                b'{' => depth += 1,
                b'}' => depth -= 1,
                _ => {}
            }
            if i < end || depth == 0 || !is_word(*c) || is_word(self.code[i - 1]) {
                continue;
            }
            if words(&self.code[i..]).next().is_some_and(is_declaring) {
                end = self.declaration_end(i);
                is_declared |= words(&self.code[i..end]).any(|word| word == name);
            }
        }
        is_declared
    }

    /// The end of the declaration that begins at an offset.
    fn declaration_end(&self, begin: usize) -> usize {
        let mut depth = 0;
        for (i, c) in self.code.iter().enumerate().skip(begin) {
            match c {
                b'{' => depth += 1,
                b'}' => depth -= 1,
                b';' if depth <= 0 => return i,
                _ => {}
            }
        }
        self.code.len()
    }

    /// The first and the last position of the branch that is taken if a condition which ends at a position holds.
    pub(super) fn branch(&self, condition_end: Position) -> Option<(Position, Position)> {
        let begin = self.skip(self.offset(condition_end)? + 1)?;
        let first = self.position(begin);
        if self.code[begin] != b'{' {
            let is_simple = !matches!(self.word(first), "if" | "while" | "for" | "switch" | "do" | "else");
            return is_simple.then(|| Some((first, self.statement_end(first)?))).flatten();
        }
        let mut depth = 0;
        for (i, c) in self.code.iter().enumerate().skip(begin) {
            match c {
                b'{' => depth += 1,
                b'}' if depth == 1 => return Some((first, self.position(i))),
                b'}' => depth -= 1,
                _ => {}
            }
        }
        None
    }

    /// Whether there is a `!` other than that of `!=`, or a macro of this file, between two positions.
    pub(super) fn has_negation(&self, begin: Position, end: Position) -> bool {
        let (Some(begin), Some(end)) = (self.offset(begin), self.offset(end)) else { return true };
        let is_macro = |word: &str| self.macros().any(|words| words[0] == word);
        (begin..end).any(|i| self.code[i] == b'!' && self.code.get(i + 1) != Some(&b'='))
            || words(&self.code[begin..end]).any(is_macro)
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

/// Whether a keyword begins a declaration of which debug information does not know the block.
fn is_declaring(word: &str) -> bool {
    matches!(word, "enum" | "typedef" | "extern")
}

/// The words of a text.
fn words(text: &[u8]) -> impl Iterator<Item = &str> {
    text.split(|c| !is_word(*c)).filter(|word| !word.is_empty()).filter_map(|word| std::str::from_utf8(word).ok())
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
    fn what_blocks_hide_is_not_certain() {
        let source = "#include <x.h>\n#define M(a) \\\n  a\n#define E enum { b, M };\nenum { c }; extern int d; typedef int e;\n\
                      int f(void) { int g; enum h { i = 1, j } k; typedef struct { int l; } m; { extern int n, o; } c = p; E }\n";
        let text = Text::new(source.as_bytes());
        for hidden in ["M", "E", "b", "h", "i", "j", "k", "l", "m", "n", "o"] {
            assert!(text.may_hide(hidden), "{hidden}");
        }
        for certain in ["x", "a", "c", "d", "e", "f", "g", "p"] {
            assert!(!text.may_hide(certain), "{certain}");
        }
        assert!(Text::new(b"").may_hide("x"));
    }

    #[test]
    fn branches_are_statements_or_blocks() {
        let source = "if (a) { b; { c; } } else d;\nif (a) b(1); if (a) if (c) d;\n";
        let text = Text::new(source.as_bytes());
        assert_eq!(text.branch((1, 6)), Some((find(source, "{", 0), find(source, "}", 1))));
        assert_eq!(text.branch((2, 6)), Some((find(source, "b(1)", 0), (2, 12))));
        assert_eq!(text.branch((2, 19)), None);
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
