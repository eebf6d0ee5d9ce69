//! C expressions over integers, as they stand in witnesses: from text to the conditions of automata.
//!
//! Understood are variables (`x`, `p.next`, `a[3]`), literals with suffixes, casts to integer types, `\result` (of the call at hand),
//! all operators without side effects, and `?:`. Pointers that are followed, addresses, indices that are not constant, calls, floats
//! and `sizeof` are not. What is not understood is an error; nothing is approximated.

use slicer::automaton::Expr;
use slicer::automaton::expression::{Binary, IntType, Unary};

/// Maximum nesting depth of an expression.
const MAX_DEPTH: u32 = 100;

/// Binary operators by precedence, lowest first. Operators of one level associate to the left.
const LEVELS: [&[(&str, Binary)]; 10] = [
    &[("||", Binary::Or)],
    &[("&&", Binary::And)],
    &[("|", Binary::BitOr)],
    &[("^", Binary::BitXor)],
    &[("&", Binary::BitAnd)],
    &[("==", Binary::Eq), ("!=", Binary::Ne)],
    &[("<=", Binary::Le), (">=", Binary::Ge), ("<", Binary::Lt), (">", Binary::Gt)],
    &[("<<", Binary::Shl), (">>", Binary::Shr)],
    &[("+", Binary::Add), ("-", Binary::Sub)],
    &[("*", Binary::Mul), ("/", Binary::Div), ("%", Binary::Rem)],
];

/// Marks; one that begins with another one comes before it.
const MARKS: [&str; 28] = [
    "->", "++", "--", "||", "&&", "==", "!=", "<<", ">>", "<=", ">=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "^",
    "!", "~", "(", ")", "?", ":", "=",
];

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Word(String),
    Number(Expr),
    Result,
    Mark(&'static str),
}

/// Parses an expression of a program whose `long` has as many bits as an address.
///
/// # Errors
/// What is not understood, in words.
pub(super) fn parse(text: &str, long_bits: u32) -> Result<Expr, String> {
    let tokens = tokens(text, long_bits)?;
    let mut parser = Parser { tokens, at: 0, long_bits };
    let expression = parser.expression(0)?;
    match parser.peek() {
        None => Ok(expression),
        Some(token) => Err(format!("'{}' is not expected", shown(token))),
    }
}

fn shown(token: &Token) -> String {
    match token {
        Token::Word(word) => word.clone(),
        Token::Number(_) => "a number".into(),
        Token::Result => "\\result".into(),
        Token::Mark(mark) => (*mark).into(),
    }
}

fn tokens(text: &str, long_bits: u32) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let word = |from: &str| from.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(from.len());
        let length;
        if first.is_ascii_digit() {
            length = word(rest);
            if rest[length..].starts_with('.') {
                return Err("floats are not supported".into());
            }
            tokens.push(Token::Number(number(&rest[..length], long_bits)?));
        } else if first.is_ascii_alphabetic() || first == '_' {
            length = path(rest);
            tokens.push(Token::Word(rest[..length].chars().filter(|c| !c.is_whitespace()).collect()));
        } else if let Some(after) = rest.strip_prefix('\\') {
            length = 1 + word(after);
            if &rest[..length] != "\\result" {
                return Err(format!("{} is not supported", &rest[..length]));
            }
            tokens.push(Token::Result);
        } else {
            let mark = MARKS.into_iter().find(|mark| rest.starts_with(mark));
            let mark = mark.ok_or_else(|| format!("'{first}' is not supported"))?;
            length = mark.len();
            tokens.push(Token::Mark(mark));
        }
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

/// The length of the variable, with members and constant indices, that `text` begins with.
fn path(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_word = |c: u8| c.is_ascii_alphanumeric() || c == b'_';
    let end = |from: usize, is: &dyn Fn(u8) -> bool| from + bytes[from..].iter().take_while(|c| is(**c)).count();
    let blank = |from| end(from, &|c| c.is_ascii_whitespace());
    let mut at = end(0, &is_word);
    loop {
        let next = blank(at);
        at = match bytes.get(next) {
            Some(b'.') => {
                let begin = blank(next + 1);
                match end(begin, &is_word) {
                    end if end > begin && !bytes[begin].is_ascii_digit() => end,
                    _ => return at,
                }
            }
            Some(b'[') => {
                let begin = blank(next + 1);
                let digits = end(begin, &|c| c.is_ascii_digit());
                let close = blank(digits);
                // Other forms of numbers would be other names of the same element.
                let is_plain = digits == begin + 1 || (digits > begin && bytes[begin] != b'0');
                if !is_plain || bytes.get(close) != Some(&b']') {
                    return at;
                }
                close + 1
            }
            _ => return at,
        };
    }
}

/// A literal with its suffix, in the type that C gives it.
fn number(text: &str, long_bits: u32) -> Result<Expr, String> {
    let wrong = || format!("{text} is not a supported number");
    let lower = text.to_ascii_lowercase();
    let (digits, radix) = match lower.strip_prefix("0x") {
        Some(hexadecimal) => (hexadecimal, 16),
        None if lower.len() > 1 && lower.starts_with('0') => (&lower[1..], 8),
        None => (&lower[..], 10),
    };
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    // `0u` begins with a 0 as octal numbers do.
    let n = if digits.is_empty() && radix == 8 { Ok(0) } else { u64::from_str_radix(digits, radix) };
    let n = n.map_err(|_| wrong())?;
    let (unsigned, length) = match suffix {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, long_bits),
        "ul" | "lu" => (true, long_bits),
        "ll" => (false, 64),
        "ull" | "llu" => (true, 64),
        _ => return Err(wrong()),
    };
    let widths = [32, 64].into_iter().filter(|bits| *bits >= length);
    let fits = |bits: u32, signed: bool| n >> (bits - u32::from(signed)).min(63) == 0 || (bits == 64 && !signed);
    let kinds = widths.flat_map(|bits| [(bits, true), (bits, false)]);
    let possible = |signed: bool| if signed { !unsigned } else { unsigned || radix != 10 };
    let (bits, signed) = kinds.into_iter().find(|(b, s)| possible(*s) && fits(*b, *s)).ok_or_else(wrong)?;
    let number = Expr::Number(n, false);
    // A decimal number without a suffix has the type that it has in conditions of automata.
    let is_plain = suffix.is_empty() && radix == 10;
    Ok(if is_plain { number } else { Expr::Cast(IntType { bits, signed }, Box::new(number)) })
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    long_bits: u32,
}

impl Parser {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at)
    }

    fn mark(&mut self, mark: &str) -> bool {
        let is = matches!(self.peek(), Some(Token::Mark(m)) if *m == mark);
        self.at += usize::from(is);
        is
    }

    fn expect(&mut self, mark: &str) -> Result<(), String> {
        let found = self.peek().map_or("the end".into(), shown);
        if self.mark(mark) { Ok(()) } else { Err(format!("'{mark}' is expected, not {found}")) }
    }

    fn expression(&mut self, depth: u32) -> Result<Expr, String> {
        let condition = self.operation(0, depth)?;
        if !self.mark("?") {
            return Ok(condition);
        }
        let yes = self.expression(depth + 1)?;
        self.expect(":")?;
        let no = self.expression(depth + 1)?;
        Ok(Expr::Conditional(Box::new(condition), Box::new(yes), Box::new(no)))
    }

    fn operation(&mut self, level: usize, depth: u32) -> Result<Expr, String> {
        let Some(operators) = LEVELS.get(level) else { return self.operand(depth) };
        let mut left = self.operation(level + 1, depth)?;
        while let Some((_, operator)) = operators.iter().copied().find(|(mark, _)| self.mark(mark)) {
            let right = self.operation(level + 1, depth)?;
            if matches!(operator, Binary::Div | Binary::Rem) && !is_positive(&right) {
                return Err("only division by a positive number is supported".into());
            }
            let right = match operator {
                Binary::Shl | Binary::Shr => plain(right),
                _ => right,
            };
            left = Expr::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn operand(&mut self, depth: u32) -> Result<Expr, String> {
        if depth > MAX_DEPTH {
            return Err(format!("an expression that is nested more than {MAX_DEPTH} levels deep"));
        }
        if self.mark("(") {
            if let Some(ty) = self.type_name()? {
                self.expect(")")?;
                let operand = Box::new(self.operand(depth + 1)?);
                return Ok(match ty {
                    Some(ty) => Expr::Cast(ty, operand),
                    None => Expr::Binary(Binary::Ne, operand, Box::new(Expr::Number(0, false))),
                });
            }
            let inner = self.expression(depth + 1)?;
            self.expect(")")?;
            return Ok(inner);
        }
        for (mark, operator) in [("!", Unary::Not), ("-", Unary::Minus), ("~", Unary::Complement)] {
            if self.mark(mark) {
                return Ok(Expr::Unary(operator, Box::new(self.operand(depth + 1)?)));
            }
        }
        if self.mark("+") {
            // The promotion that it makes happens wherever its value is used, except at `?:` and casts, where it changes nothing.
            return self.operand(depth + 1);
        }
        let found = match self.peek() {
            Some(Token::Number(number)) => number.clone(),
            Some(Token::Result) => Expr::Argument(1),
            Some(Token::Word(word)) if word == "NULL" => Expr::Number(0, false),
            Some(Token::Word(word)) if word == "sizeof" => return Err("sizeof is not supported".into()),
            Some(Token::Word(word)) => Expr::Variable(word.clone()),
            Some(token) => return Err(format!("'{}' is not supported here", shown(token))),
            None => return Err("a part of the expression is missing".into()),
        };
        self.at += 1;
        Ok(found)
    }

    /// Reads the name of a type if one is next: `Some(None)` for `_Bool`.
    fn type_name(&mut self) -> Result<Option<Option<IntType>>, String> {
        const WORDS: [&str; 9] = ["char", "short", "int", "long", "signed", "unsigned", "_Bool", "const", "__int128"];
        let mut words = Vec::new();
        while let Some(Token::Word(word)) = self.peek() {
            let Some(known) = WORDS.into_iter().find(|known| known == word) else { break };
            words.push(known);
            self.at += 1;
        }
        let has = |word: &str| words.contains(&word);
        let longs = words.iter().filter(|w| **w == "long").count();
        let bits = match () {
            () if words.is_empty() => return Ok(None),
            () if has("_Bool") => return Ok(Some(None)),
            () if has("__int128") => 128,
            () if has("char") => 8,
            () if has("short") => 16,
            () if longs == 2 => 64,
            () if longs == 1 => self.long_bits,
            () if has("int") || has("signed") || has("unsigned") => 32,
            () => return Err("a type that is not known".into()),
        };
        Ok(Some(Some(IntType { bits, signed: !has("unsigned") })))
    }
}

/// A literal without its type, for the right side of a shift.
fn plain(e: Expr) -> Expr {
    match e {
        Expr::Cast(_, inner) if matches!(*inner, Expr::Number(..)) => *inner,
        other => other,
    }
}

fn is_positive(e: &Expr) -> bool {
    match e {
        Expr::Number(n, _) => *n > 0,
        // A cast may make another number of it.
        Expr::Cast(ty, inner) => {
            let fits = |n: i128| n > 0 && n >> (ty.bits - u32::from(ty.signed)) == 0;
            matches!(**inner, Expr::Number(n, _) if fits(n.into()))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Expr {
        parse(text, 64).expect(text)
    }

    #[test]
    fn operators_bind_as_in_c() {
        let same = |a: &str, b: &str| assert_eq!(read(a), read(b), "{a}, {b}");
        same("1 + 2 * 3 == x && y || !z", "(((1 + (2 * 3)) == x) && y) || (!z)");
        same("a << 2 + 1 < b & c", "((a << 3) < b) & c".replace('3', "(2 + 1)").as_str());
        same("a ? b : c ? d : e", "a ? b : (c ? d : e)");
        same("(int) a + b", "((int) a) + b");
        same("-a * ~b % 7", "((-a) * (~b)) % 7");
        same("p . x [ 3 ] . y", "p.x[3].y");
    }

    #[test]
    fn literals_have_the_types_of_c() {
        let ty = |text: &str, long| match parse(text, long) {
            Ok(Expr::Cast(ty, _)) => Ok((ty.bits, ty.signed)),
            Ok(_) => Ok((0, true)),
            Err(e) => Err(e),
        };
        assert_eq!(ty("5", 64), Ok((0, true)));
        assert_eq!(ty("0", 64), Ok((0, true)));
        assert_eq!(ty("5U", 64), Ok((32, false)));
        assert_eq!(ty("0u", 64), Ok((32, false)));
        assert_eq!(ty("4294967296U", 64), Ok((64, false)));
        assert_eq!(ty("5L", 64), Ok((64, true)));
        assert_eq!(ty("5L", 32), Ok((32, true)));
        assert_eq!(ty("5uLL", 32), Ok((64, false)));
        assert_eq!(ty("0xffffffff", 64), Ok((32, false)));
        assert_eq!(ty("017", 64), Ok((32, true)));
        assert_eq!(ty("18446744073709551615ULL", 64), Ok((64, false)));
        assert!(ty("18446744073709551615LL", 64).is_err() && ty("5x", 64).is_err() && ty("09", 64).is_err());
    }

    #[test]
    fn what_is_not_understood_is_an_error() {
        for text in [
            "",
            "x +",
            "f(x)",
            "p->x",
            "*p == 3",
            "&x == 0",
            "a[i] == 3",
            "a[03]",
            "x = 3",
            "x++",
            "1.5 < x",
            "sizeof(int)",
            "x ==> y",
            "\\at(x, Pre) == 3",
            "\\old(x)",
            "x / y",
            "x % 0",
            "(x",
            "x)",
            "'a' == x",
            "x ? y",
            "(float) x == 3",
            "x, y",
        ] {
            assert!(parse(text, 64).is_err(), "{text}");
        }
        assert!(parse(&format!("{}x", "(".repeat(200)), 64).is_err());
    }
}
