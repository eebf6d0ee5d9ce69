//! Tokens of a line of the text format.

/// A token.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// `(`, `)`, `[`, `]`, `,` or `;`.
    Mark(char),
    /// A plain word: keyword, number, constant, plain name, arrow.
    Word(String),
    /// A name between bars.
    Name(String),
    /// `&` with a name.
    Address(String),
    /// A text between quotes.
    Text(String),
}

/// Whether `name` needs no bars.
fn plain(name: &str) -> bool {
    let head = name.chars().next();
    head.is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-' | '!' | '~'))
        && !matches!(name, "true" | "false")
}

/// `name` as it is written: between bars where it is no plain word.
pub(super) fn quote_name(name: &str) -> String {
    if plain(name) { name.into() } else { quoted(name, '|') }
}

/// A text between quotes.
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

/// The tokens of a line; a message for what is none.
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
    Err(format!("no closing {mark}"))
}
