//! Conditions of specification automata: C expressions without side effects.
//!
//! | what | how |
//! |---|---|
//! | numbers | `17`, `-3`, `0x1f`, `NULL` |
//! | variables | by their names in C: `x`, `p.next`, `a[3]` with a constant index; globals, and locals of the function in which the event happens |
//! | arguments | `$1`, `$2`, ... of the call that is the event |
//! | arithmetic | `+ - *`, `/` and `%` by a number other than 0, `& ^ \|` |
//! | comparisons | `== != < <= > >=` |
//! | logic | `! && \|\|`, parentheses |
//!
//! Types and conversions are those of C: the debug information tells which integers are unsigned; without it, all are signed.
//! Pointers can be compared by `==` and `!=`. Floats are not supported.

use crate::automaton::AutomatonError;

/// A condition or a part of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expr {
    /// A number, and whether it was written in hexadecimal (then it may be unsigned).
    Number(u64, bool),
    /// A variable or a part of one, as a path.
    Variable(String),
    /// The n-th argument of the call, from 1.
    Argument(usize),
    /// An operator with one operand.
    Unary(Unary, Box<Expr>),
    /// An operator with two operands.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// A conversion to an integer type. Automata have none; witnesses do, and the next one too.
    Cast(IntType, Box<Expr>),
    /// `condition ? a : b`.
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
}

/// An integer type other than `_Bool`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IntType {
    /// Its width in bits.
    pub bits: u32,
    /// Whether it is signed.
    pub signed: bool,
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Unary {
    Minus,
    Not,
    Complement,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Binary {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
}

/// Binary operators by precedence, lowest first, as in C. Operators of one level associate to the left.
const LEVELS: [&[(&str, Binary)]; 9] = [
    &[("||", Binary::Or)],
    &[("&&", Binary::And)],
    &[("|", Binary::BitOr)],
    &[("^", Binary::BitXor)],
    &[("&", Binary::BitAnd)],
    &[("==", Binary::Eq), ("!=", Binary::Ne)],
    &[("<=", Binary::Le), (">=", Binary::Ge), ("<", Binary::Lt), (">", Binary::Gt)],
    &[("+", Binary::Add), ("-", Binary::Sub)],
    &[("*", Binary::Mul), ("/", Binary::Div), ("%", Binary::Rem)],
];

/// Punctuation. A mark that begins with another one comes before it.
const MARKS: [&str; 21] =
    ["->", "||", "&&", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^", "!", "(", ")", ","];

/// Maximum nesting depth of a condition.
const MAX_DEPTH: u32 = 60;

/// A token of a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A name, including the path to a part.
    Word(String),
    /// A number, as in [`Expr::Number`].
    Number(u64, bool),
    /// `$n`.
    Argument(usize),
    /// A quoted text.
    Text(String),
    /// One of [`MARKS`].
    Mark(&'static str),
}

impl Token {
    /// The token as it was written.
    pub(super) fn shown(&self) -> String {
        match self {
            Token::Word(word) => word.clone(),
            Token::Number(n, hexadecimal) => {
                if *hexadecimal {
                    format!("{n:#x}")
                } else {
                    n.to_string()
                }
            }
            Token::Argument(n) => format!("${n}"),
            Token::Text(text) => format!("\"{text}\""),
            Token::Mark(mark) => (*mark).to_string(),
        }
    }
}

/// The tokens of a line, read one after the other.
pub(super) struct Line {
    /// Its number in the text, from 1.
    pub number: u32,
    tokens: Vec<Token>,
    at: usize,
}

impl Line {
    /// Splits `text`, which is line `number`, into tokens.
    pub(super) fn new(number: u32, text: &str) -> Result<Line, AutomatonError> {
        let mut line = Line { number, tokens: Vec::new(), at: 0 };
        let mut rest = text.trim_start();
        while !rest.is_empty() && !rest.starts_with('#') {
            let (token, length) = line.token(rest)?;
            line.tokens.push(token);
            rest = rest[length..].trim_start();
        }
        Ok(line)
    }

    /// The first token of `text`, and its length in bytes.
    fn token(&self, text: &str) -> Result<(Token, usize), AutomatonError> {
        let until = |end: fn(char) -> bool, from: usize| text[from..].find(end).map_or(text.len(), |n| from + n);
        let first = text.chars().next().unwrap_or(' ');
        if let Some(quoted) = text.strip_prefix('"') {
            let Some(length) = quoted.find('"') else {
                return Err(self.error("an unterminated string: a \" is missing"));
            };
            return Ok((Token::Text(quoted[..length].to_string()), length + 2));
        }
        if first.is_ascii_digit() {
            let end = until(|c| !c.is_ascii_alphanumeric(), 0);
            let hexadecimal = text[..end].strip_prefix("0x").or_else(|| text[..end].strip_prefix("0X"));
            let number = match hexadecimal {
                Some(digits) => u64::from_str_radix(digits, 16).ok(),
                None if end > 1 && first == '0' => None,
                None => text[..end].parse().ok(),
            };
            let wrong = || self.error(format!("'{}' is not a number; numbers are written 17 or 0x11", &text[..end]));
            return Ok((Token::Number(number.ok_or_else(wrong)?, hexadecimal.is_some()), end));
        }
        if first == '$' {
            let end = until(|c| !c.is_ascii_digit(), 1);
            let n = text[1..end].parse().ok().filter(|n| *n > 0);
            let n = n.ok_or_else(|| self.error("arguments are $1, $2 and so on"))?;
            return Ok((Token::Argument(n), end));
        }
        if first.is_alphabetic() || first == '_' {
            let end = until(|c| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '[' | ']')), 0);
            if text[end..].starts_with("->") {
                let word = &text[..end];
                let reason = "conditions cannot follow pointers, and the '->' of a transition must follow a space";
                return Err(self.error(format!("'{word}->': {reason}")));
            }
            return Ok((Token::Word(text[..end].to_string()), end));
        }
        match MARKS.into_iter().find(|mark| text.starts_with(mark)) {
            Some(mark) => Ok((Token::Mark(mark), mark.len())),
            None => Err(self.error(format!("'{first}' has no meaning here"))),
        }
    }

    /// An error on this line.
    pub(super) fn error(&self, reason: impl Into<String>) -> AutomatonError {
        AutomatonError { line: self.number, reason: reason.into() }
    }

    /// The error that `wanted` was expected instead of the next token.
    pub(super) fn expected(&self, wanted: &str) -> AutomatonError {
        let found = self.tokens.get(self.at).map_or("the end of the line".into(), |t| format!("'{}'", t.shown()));
        self.error(format!("{wanted} is expected, not {found}"))
    }

    /// The next token, without reading it.
    pub(super) fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    /// Reads the next token.
    pub(super) fn next(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        token
    }

    /// Reads `mark` if it is next; returns whether it was.
    pub(super) fn mark(&mut self, mark: &str) -> bool {
        let is = matches!(self.peek(), Some(Token::Mark(m)) if *m == mark);
        self.at += usize::from(is);
        is
    }

    /// Reads `keyword` if it is next; returns whether it was.
    pub(super) fn keyword(&mut self, keyword: &str) -> bool {
        let is = matches!(self.peek(), Some(Token::Word(word)) if word == keyword);
        self.at += usize::from(is);
        is
    }

    /// Reads a condition.
    pub(super) fn condition(&mut self) -> Result<Expr, AutomatonError> {
        self.operation(0, 0)
    }

    fn operation(&mut self, level: usize, depth: u32) -> Result<Expr, AutomatonError> {
        let Some(operators) = LEVELS.get(level) else { return self.operand(depth) };
        let mut left = self.operation(level + 1, depth)?;
        while let Some((_, operator)) = operators.iter().copied().find(|(mark, _)| self.mark(mark)) {
            let right = self.operation(level + 1, depth)?;
            let by_zero = !matches!(right, Expr::Number(n, _) if n > 0);
            if matches!(operator, Binary::Div | Binary::Rem) && by_zero {
                return Err(self.error("only division by a number other than 0 is supported"));
            }
            left = Expr::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn operand(&mut self, depth: u32) -> Result<Expr, AutomatonError> {
        if depth > MAX_DEPTH {
            return Err(self.error(format!("a condition that is nested more than {MAX_DEPTH} levels deep")));
        }
        if self.mark("(") {
            let inner = self.operation(0, depth + 1)?;
            return if self.mark(")") { Ok(inner) } else { Err(self.expected("')'")) };
        }
        for (mark, operator) in [("!", Unary::Not), ("-", Unary::Minus)] {
            if self.mark(mark) {
                return Ok(Expr::Unary(operator, Box::new(self.operand(depth + 1)?)));
            }
        }
        let found = match self.peek() {
            Some(Token::Number(n, hexadecimal)) => Expr::Number(*n, *hexadecimal),
            Some(Token::Argument(n)) => Expr::Argument(*n),
            Some(Token::Word(word)) if word == "NULL" => Expr::Number(0, false),
            Some(Token::Word(word)) if !matches!(word.as_str(), "if" | "assume") => Expr::Variable(word.clone()),
            _ => return Err(self.expected("a number, a variable or an argument ($1)")),
        };
        self.at += 1;
        Ok(found)
    }
}

impl Expr {
    /// Calls `visitor` with this expression and each of its subexpressions.
    pub fn visit(&self, visitor: &mut dyn FnMut(&Expr)) {
        visitor(self);
        match self {
            Expr::Argument(_) | Expr::Number(..) | Expr::Variable(_) => {}
            Expr::Unary(_, a) | Expr::Cast(_, a) => a.visit(visitor),
            Expr::Conditional(c, a, b) => {
                c.visit(visitor);
                a.visit(visitor);
                b.visit(visitor);
            }
            Expr::Binary(_, a, b) => {
                a.visit(visitor);
                b.visit(visitor);
            }
        }
    }

    /// Whether the expression contains an argument of the call.
    pub fn has_arguments(&self) -> bool {
        let mut found = false;
        self.visit(&mut |e| found |= matches!(e, Expr::Argument(_)));
        found
    }
}
