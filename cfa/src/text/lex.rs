//! Tokenisation of lines of the text format, and a reader for the tokens.

use crate::graph::Span;
use crate::ids::LocId;
use std::fmt::{self, Display, Formatter};

/// The largest number that a location may have in a text.
const MAX_LOC: u32 = 100_000_000;

/// The result of parsing, or what is wrong.
pub(super) type Parsed<T> = Result<T, String>;

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// `(`, `)`, `[`, `]`, `,` or `;`.
    Mark(char),
    /// A plain word: keyword, number, constant, plain name, arrow.
    Word(String),
    /// A name between bars (`|`).
    Name(String),
    /// `&` followed by a name.
    Address(String),
    /// A quoted text.
    Text(String),
}

/// The token as it is written, for messages.
impl Display for Token {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Token::Mark(mark) => write!(f, "`{mark}`"),
            Token::Word(word) => write!(f, "`{word}`"),
            Token::Name(name) => write!(f, "`{}`", quote_name(name)),
            Token::Address(name) => write!(f, "`&{}`", quote_name(name)),
            Token::Text(text) => f.write_str(&quote_text(text)),
        }
    }
}

/// Whether `name` can be written without bars.
fn plain(name: &str) -> bool {
    let head = name.chars().next();
    head.is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '!' | '~'))
        && !matches!(name, "true" | "false")
}

/// `name` as it is written: between bars unless it is a plain word.
pub(super) fn quote_name(name: &str) -> String {
    if plain(name) { name.into() } else { quoted(name, '|') }
}

/// `text` in quotes.
pub(super) fn quote_text(text: &str) -> String {
    quoted(text, '"')
}

fn quoted(text: &str, mark: char) -> String {
    let mut out = String::from(mark);
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            c if c == mark || c == '\\' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out.push(mark);
    out
}

/// The tokens of a line, or a message about what is not a token.
pub(super) fn tokens(line: &str) -> Result<Vec<Token>, String> {
    let mut found = Vec::new();
    let mut rest = line.chars().peekable();
    while let Some(&c) = rest.peek() {
        match c {
            '#' => break,
            c if c.is_whitespace() => {
                rest.next();
            }
            '(' | ')' | '[' | ']' | ',' | ';' => {
                rest.next();
                found.push(Token::Mark(c));
            }
            '"' => {
                rest.next();
                found.push(Token::Text(unquote(&mut rest, '"')?));
            }
            '|' => {
                rest.next();
                found.push(Token::Name(unquote(&mut rest, '|')?));
            }
            _ => {
                let mut word = String::new();
                while let Some(&c) = rest.peek() {
                    if c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | ',' | ';' | '"' | '|' | '#') {
                        break;
                    }
                    word.push(c);
                    rest.next();
                }
                if word == "&" && rest.peek() == Some(&'|') {
                    rest.next();
                    found.push(Token::Address(unquote(&mut rest, '|')?));
                } else if let Some(name) = word.strip_prefix('&') {
                    found.push(Token::Address(name.into()));
                } else {
                    found.push(Token::Word(word));
                }
            }
        }
    }
    Ok(found)
}

fn unquote(rest: &mut impl Iterator<Item = char>, mark: char) -> Result<String, String> {
    let mut out = String::new();
    while let Some(c) = rest.next() {
        match c {
            '\\' => match rest.next() {
                Some('n') => out.push('\n'),
                Some(c) => out.push(c),
                None => break,
            },
            c if c == mark => return Ok(out),
            c => out.push(c),
        }
    }
    Err(format!("the closing {mark} is missing"))
}

/// The tokens of a line that remain to be read.
pub(super) struct Tokens<'a> {
    pub(super) all: &'a [Token],
    pub(super) next: usize,
}

impl<'a> Tokens<'a> {
    /// The next token.
    pub(super) fn peek(&self) -> Option<&'a Token> {
        self.all.get(self.next)
    }

    /// Reads the next token.
    pub(super) fn take(&mut self) -> Parsed<&'a Token> {
        let t = self.peek().ok_or("the line ends too early")?;
        self.next += 1;
        Ok(t)
    }

    /// Reads `word` if it is next; returns whether it was.
    pub(super) fn word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Word(w)) if w == word);
        self.next += usize::from(found);
        found
    }

    /// Reads `mark` if it is next; returns whether it was.
    pub(super) fn mark(&mut self, mark: char) -> bool {
        let found = self.peek() == Some(&Token::Mark(mark));
        self.next += usize::from(found);
        found
    }

    /// Reads `mark`, which must be next.
    pub(super) fn expect(&mut self, mark: char) -> Parsed<()> {
        if self.mark(mark) { Ok(()) } else { Err(format!("`{mark}` is missing")) }
    }

    /// Reads a word.
    pub(super) fn any_word(&mut self) -> Parsed<&'a str> {
        match self.take()? {
            Token::Word(w) => Ok(w),
            other => Err(format!("a word is expected, not {other}")),
        }
    }

    /// Reads a name, plain or between bars.
    pub(super) fn name(&mut self) -> Parsed<&'a str> {
        match self.take()? {
            Token::Word(w) | Token::Name(w) => Ok(w),
            other => Err(format!("a name is expected, not {other}")),
        }
    }

    /// Reads a quoted text.
    pub(super) fn text(&mut self) -> Parsed<&'a str> {
        match self.take()? {
            Token::Text(t) => Ok(t),
            other => Err(format!("a quoted text is expected, not {other}")),
        }
    }

    /// Reads a number.
    pub(super) fn number<T: std::str::FromStr>(&mut self) -> Parsed<T> {
        let w = self.any_word()?;
        w.parse().map_err(|_| format!("`{w}` is not a number"))
    }

    /// Reads a location.
    pub(super) fn loc(&mut self) -> Parsed<LocId> {
        location(self.any_word()?)
    }

    /// Reads an optional source position at the end of the line.
    pub(super) fn span(&mut self) -> Parsed<Span> {
        let mut span = Span::default();
        if let Some(Token::Word(w)) = self.peek()
            && let Some(place) = w.strip_prefix('@')
        {
            let numbers: Option<Vec<u32>> = place.split(':').map(|n| n.parse().ok()).collect();
            let Some(&[file, line, column]) = numbers.as_deref() else {
                return Err(format!("`{w}` is not a source position (`@file:line:column`)"));
            };
            self.next += 1;
            span = Span { file, line, column };
        }
        match self.peek() {
            None => Ok(span),
            Some(t) => Err(format!("unexpected {t}")),
        }
    }

    /// Reads the end of the line, where only a source position may remain.
    pub(super) fn end(&mut self) -> Parsed<()> {
        self.span().map(|_| ())
    }
}

/// The location denoted by a word.
pub(super) fn location(word: &str) -> Parsed<LocId> {
    let number = word.strip_prefix('l').and_then(|n| n.parse().ok()).filter(|n| *n <= MAX_LOC);
    number.map(LocId).ok_or_else(|| format!("`{word}` is not a location (such as `l7`)"))
}
