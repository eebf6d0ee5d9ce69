//! Terms as C: what is proved about variables of a program, as expressions over the variables of its source.
//!
//! An expression has no undefined behaviour, whatever the values of variables: arithmetic is that of unsigned types, and signed values
//! are made of its results by casts. Terms that have no such form, for example because they read memory, have no text.

use std::fmt::Write as _;

use cfa::bv::{BvCmp, BvOp};
use cfa::term::Kind;
use cfa::{Cfa, Sort, Term, Terms, ValueFormat};

/// Maximum length of an expression.
const MAX_LENGTH: usize = 400;
/// Maximum nesting depth of an expression.
const MAX_DEPTH: u32 = 40;

/// The text of `t`, a Bool over variables of `cfa`, if it has one.
pub(super) fn condition(cfa: &Cfa, terms: &Terms, t: Term) -> Option<String> {
    let text = Printer { cfa, terms }.truth(t, true, 0)?;
    (text.len() <= MAX_LENGTH).then_some(text)
}

struct Printer<'a> {
    cfa: &'a Cfa,
    terms: &'a Terms,
}

impl Printer<'_> {
    /// An expression that is 1 if `t` is `wanted`, and 0 if not. In brackets where that is needed inside others.
    fn truth(&self, t: Term, wanted: bool, depth: u32) -> Option<String> {
        if depth > MAX_DEPTH {
            return None;
        }
        let args = self.terms.args(t);
        let both = |operator: &str| {
            let (a, b) = (self.truth(args[0], wanted, depth + 1)?, self.truth(args[1], wanted, depth + 1)?);
            let outer = |text: &str| if depth == 0 { text.to_string() } else { format!("({text})") };
            Some(outer(&format!("{a} {operator} {b}")))
        };
        match self.terms.kind(t) {
            Kind::Bool(b) => Some(u8::from(b == wanted).to_string()),
            Kind::Not => self.truth(args[0], !wanted, depth),
            Kind::And => both(if wanted { "&&" } else { "||" }),
            Kind::Or => both(if wanted { "||" } else { "&&" }),
            Kind::Eq if self.terms.sort(args[0]) == Sort::Bool => {
                let (a, b) = (self.truth(args[0], true, depth + 1)?, self.truth(args[1], wanted, depth + 1)?);
                Some(format!("(({a}) == ({b}))"))
            }
            Kind::Eq => {
                let signed = self.is_signed(args[0]) || self.is_signed(args[1]);
                self.compare(if wanted { "==" } else { "!=" }, (args[0], args[1]), signed, depth)
            }
            Kind::Cmp(cmp) => {
                let signed = matches!(cmp, BvCmp::Slt | BvCmp::Sle);
                let operator = match (cmp, wanted) {
                    (BvCmp::Slt | BvCmp::Ult, true) => "<",
                    (BvCmp::Sle | BvCmp::Ule, true) => "<=",
                    (BvCmp::Slt | BvCmp::Ult, false) => ">=",
                    (BvCmp::Sle | BvCmp::Ule, false) => ">",
                };
                self.compare(operator, (args[0], args[1]), signed, depth)
            }
            _ => None,
        }
    }

    fn compare(&self, operator: &str, (a, b): (Term, Term), signed: bool, depth: u32) -> Option<String> {
        let is_constant = |t| matches!(self.terms.kind(t), Kind::Const(_));
        // Constants are easier to read on the right.
        let (a, b, operator) = match operator {
            _ if !is_constant(a) => (a, b, operator),
            "<" => (b, a, ">"),
            "<=" => (b, a, ">="),
            ">" => (b, a, "<"),
            ">=" => (b, a, "<="),
            other => (b, a, other),
        };
        let (a, b) = (self.number(a, signed, depth + 1)?, self.number(b, signed, depth + 1)?);
        Some(format!("{a} {operator} {b}")).map(|text| if depth == 0 { text } else { format!("({text})") })
    }

    /// Whether `t` is better read as signed.
    fn is_signed(&self, t: Term) -> bool {
        match self.terms.kind(t) {
            Kind::Var(v) => self.cfa.vars[v].source.as_ref().is_some_and(|s| s.format == ValueFormat::Signed),
            Kind::Bv(_) | Kind::Sext => self.terms.args(t).iter().any(|a| self.is_signed(*a)),
            _ => false,
        }
    }

    /// An expression whose value is that of the bits of `t`, as a signed or unsigned number. For 32 and 64 bits, its type is the one of
    /// that width and signedness; for fewer bits, it is `int` or (unsigned) a type that is at least as wide.
    fn number(&self, t: Term, signed: bool, depth: u32) -> Option<String> {
        let Sort::Bv(bits) = self.terms.sort(t) else { return None };
        if depth > MAX_DEPTH || bits > 64 {
            return None;
        }
        let args = self.terms.args(t);
        let ty = type_name(bits, signed);
        match self.terms.kind(t) {
            Kind::Const(n) => literal(n, bits, signed),
            Kind::Var(v) => {
                let source = self.cfa.vars[v].source.as_ref()?;
                match source.format {
                    ValueFormat::Signed if signed => Some(source.name.clone()),
                    ValueFormat::Unsigned if !signed => Some(source.name.clone()),
                    ValueFormat::Signed | ValueFormat::Unsigned => Some(format!("({}){}", ty?, source.name)),
                    ValueFormat::Float(_) | ValueFormat::Pointer => None,
                }
            }
            Kind::Extract { hi, lo } if !signed => {
                let whole = self.number(args[0], false, depth + 1)?;
                let shifted = if lo == 0 { whole } else { format!("({whole} >> {lo})") };
                let width = self.terms.width(args[0]);
                let mask = literal(u64::MAX >> (63 - (hi - lo)), width, false)?;
                Some(format!("({shifted} & {mask})"))
            }
            Kind::Zext => {
                let inner = self.number(args[0], false, depth + 1)?;
                Some(format!("({})({inner})", ty?))
            }
            Kind::Sext => {
                let inner = self.number(args[0], true, depth + 1)?;
                Some(format!("({})({inner})", ty?))
            }
            Kind::Ite => {
                let condition = self.truth(args[0], true, depth + 1)?;
                let (a, b) = (self.number(args[1], signed, depth + 1)?, self.number(args[2], signed, depth + 1)?);
                Some(format!("({condition} ? {a} : {b})"))
            }
            Kind::Bv(op) => self.arithmetic(op, (args[0], args[1]), bits, signed, depth),
            Kind::BvNot | Kind::BvNeg => {
                let sign = if self.terms.kind(t) == Kind::BvNot { "~" } else { "-" };
                let inner = self.number(args[0], false, depth + 1)?;
                modular(&format!("{sign}{inner}"), bits, signed)
            }
            _ => None,
        }
    }

    fn arithmetic(&self, op: BvOp, (a, b): (Term, Term), bits: u32, signed: bool, depth: u32) -> Option<String> {
        type_name(bits, signed)?;
        let constant = self.terms.as_u64(b);
        let operator = match op {
            BvOp::Add => "+",
            BvOp::Sub => "-",
            BvOp::Mul => "*",
            BvOp::And => "&",
            BvOp::Or => "|",
            BvOp::Xor => "^",
            BvOp::Shl | BvOp::Lshr | BvOp::Ashr => {
                let by = constant.filter(|n| *n < u64::from(bits))?;
                let a = self.number(a, op == BvOp::Ashr, depth + 1)?;
                let operator = if op == BvOp::Shl { "<<" } else { ">>" };
                return modular(&format!("{a} {operator} {by}"), bits, signed);
            }
            BvOp::Udiv | BvOp::Urem | BvOp::Sdiv | BvOp::Srem => {
                let is_signed = matches!(op, BvOp::Sdiv | BvOp::Srem);
                constant.filter(|n| *n > 0 && (!is_signed || n >> (bits - 1) == 0))?;
                let (a, b) = (self.number(a, is_signed, depth + 1)?, self.number(b, is_signed, depth + 1)?);
                let operator = if matches!(op, BvOp::Udiv | BvOp::Sdiv) { "/" } else { "%" };
                return modular(&format!("{a} {operator} {b}"), bits, signed);
            }
        };
        let (a, b) = (self.number(a, false, depth + 1)?, self.number(b, false, depth + 1)?);
        // Narrow types become `int`, in which products may overflow.
        let a = if bits < 32 { format!("(unsigned int)({a})") } else { a };
        modular(&format!("{a} {operator} {b}"), bits, signed)
    }
}

/// An expression over unsigned operands, cut to the width and read as wanted.
fn modular(text: &str, bits: u32, signed: bool) -> Option<String> {
    if bits >= 32 && !signed {
        return Some(format!("({text})"));
    }
    Some(format!("({})({text})", type_name(bits, signed)?))
}

fn type_name(bits: u32, signed: bool) -> Option<&'static str> {
    Some(match (bits, signed) {
        (8, true) => "signed char",
        (8, false) => "unsigned char",
        (16, true) => "short",
        (16, false) => "unsigned short",
        (32, true) => "int",
        (32, false) => "unsigned int",
        (64, true) => "long long",
        (64, false) => "unsigned long long",
        _ => return None,
    })
}

/// A constant. The most negative numbers of a type have no literal.
fn literal(n: u64, bits: u32, signed: bool) -> Option<String> {
    let mut text = String::new();
    let suffix = match (bits <= 32, signed) {
        (true, true) => "",
        (true, false) => "U",
        (false, true) => "LL",
        (false, false) => "ULL",
    };
    if signed {
        type_name(bits, signed)?;
        let unused = 64 - bits;
        match ((n << unused) as i64) >> unused {
            least if least == -(1 << 31) && bits == 32 || least == i64::MIN => {
                let _ = write!(text, "(-{}{suffix} - 1)", (least + 1).unsigned_abs());
            }
            n => {
                let _ = write!(text, "{n}{suffix}");
            }
        }
    } else {
        let _ = write!(text, "{n}{suffix}");
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::witness::expression;
    use cfa::{Scope, SourceName, VarId};

    fn program() -> (Cfa, [VarId; 4]) {
        let mut cfa = Cfa::new(64);
        let mut var = |name: &str, bits, format| {
            let v = cfa.add_var(name, Sort::Bv(bits), Scope::Global);
            cfa.vars[v].source = Some(SourceName { name: name.into(), format });
            v
        };
        let (s, u) = (ValueFormat::Signed, ValueFormat::Unsigned);
        let vars = [var("x", 32, s), var("p.n", 32, u), var("c", 8, s), var("w", 64, s)];
        (cfa, vars)
    }

    #[test]
    fn comparisons_are_as_people_write_them() {
        let (mut cfa, [x, n, c, w]) = program();
        let [x, n, c, w] = [x, n, c, w].map(|v| cfa.var_term(v));
        let five = cfa.terms.int(32, 5);
        let least = cfa.terms.int(32, 1 << 31);
        let minus = cfa.terms.int(8, 0xff);
        let t = &mut cfa.terms;
        let less = t.cmp(BvCmp::Slt, x, five);
        let all = [
            (less, "x < 5"),
            (t.not(less), "x >= 5"),
            (t.cmp(BvCmp::Ule, five, n), "p.n >= 5U"),
            (t.cmp(BvCmp::Ult, x, n), "(unsigned int)x < p.n"),
            (t.eq(c, minus), "c == -1"),
            (t.eq(x, least), "x == (-2147483647 - 1)"),
        ];
        let sum = t.bv_op(BvOp::Add, x, five);
        let wide = t.sext(64, sum);
        let wide = t.eq(w, wide);
        for (term, text) in all {
            assert_eq!(condition(&cfa, &cfa.terms, term).as_deref(), Some(text));
        }
        let text = condition(&cfa, &cfa.terms, wide).expect("a text");
        assert_eq!(text, "w == (long long)((int)((unsigned int)x + 5U))");
        assert!(expression::parse(&text, 64).is_ok());
    }
}
