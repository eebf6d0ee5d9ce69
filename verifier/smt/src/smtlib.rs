//! Printing of queries as SMT-LIB 2.6 scripts, for other solvers and for inspection.
//!
//! Shared and deeply nested subterms get names by `define-fun`. Floats are written in the standard's theory. It has no
//! function from numbers to bits, so the bits of a float operator's result are a constant `b` with `to_fp(b) = result` (and
//! the canonical NaN, see `cfa::float`).

use crate::solver::SolverError;
use cfa::bv::{Bv, BvCmp, BvOp};
use cfa::float::{FloatOp, Format};
use cfa::term::{Kind, Leaf, rounding_name};
use cfa::{Sort, Term, Terms};
use rustc_hash::FxHashMap;
use std::fmt::Write;

/// Maximum nesting depth without a name.
const MAX_DEPTH: u32 = 30;

/// A script that asks whether all of `assertions` (Bool terms) can hold.
///
/// Errors: `Unsupported` for block copies that no read eliminates, and for `fmod` of more than single precision.
pub fn script(terms: &Terms, assertions: &[Term]) -> Result<String, SolverError> {
    let order = terms.subterms(assertions, |_| false);
    let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
    for &t in &order {
        for &a in terms.args(t) {
            *uses.entry(a).or_default() += 1;
        }
    }
    let floats = order.iter().any(|&t| matches!(terms.kind(t), Kind::Float(..)));
    let memories = order.iter().any(|&t| matches!(terms.sort(t), Sort::Array { .. }));
    let mut writer = Writer { terms, out: String::new(), parts: FxHashMap::default(), numbers: FxHashMap::default() };
    let logic = match (memories, floats) {
        (false, false) => "QF_BV",
        (true, false) => "QF_ABV",
        (false, true) => "QF_BVFP",
        (true, true) => "QF_ABVFP",
    };
    writer.line(format!("(set-logic {logic})"));
    for t in order {
        writer.term(t, uses.get(&t).is_some_and(|n| *n > 1))?;
    }
    for &t in assertions {
        let text = writer.text(t);
        writer.line(format!("(assert {text})"));
    }
    writer.line("(check-sat)".into());
    Ok(writer.out)
}

/// How a term is written where it is used.
struct Part {
    text: String,
    /// The nesting depth of `text`.
    depth: u32,
}

struct Writer<'a> {
    terms: &'a Terms,
    out: String,
    /// The text for each term where it is used.
    parts: FxHashMap<Term, Part>,
    /// The names of terms as floating-point numbers of a format.
    numbers: FxHashMap<(Term, Format), String>,
}

fn sort_text(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".into(),
        Sort::Bv(w) => format!("(_ BitVec {w})"),
        Sort::Array { index, elem } => format!("(Array (_ BitVec {index}) (_ BitVec {elem}))"),
    }
}

fn constant(v: &Bv) -> String {
    format!("(_ bv{} {})", v.to_big(), v.width())
}

fn float_sort(f: Format) -> String {
    format!("(_ FloatingPoint {} {})", f.exponent_bits(), f.significand_bits())
}

fn to_fp(f: Format) -> String {
    format!("(_ to_fp {} {})", f.exponent_bits(), f.significand_bits())
}

fn operator(kind: Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::Not => "not",
        Kind::And => "and",
        Kind::Or => "or",
        Kind::Ite => "ite",
        Kind::Eq => "=",
        Kind::BvNot => "bvnot",
        Kind::BvNeg => "bvneg",
        Kind::Concat => "concat",
        Kind::Cmp(BvCmp::Ult) => "bvult",
        Kind::Cmp(BvCmp::Ule) => "bvule",
        Kind::Cmp(BvCmp::Slt) => "bvslt",
        Kind::Cmp(BvCmp::Sle) => "bvsle",
        Kind::Bv(op) => match op {
            BvOp::Add => "bvadd",
            BvOp::Sub => "bvsub",
            BvOp::Mul => "bvmul",
            BvOp::Udiv => "bvudiv",
            BvOp::Urem => "bvurem",
            BvOp::Sdiv => "bvsdiv",
            BvOp::Srem => "bvsrem",
            BvOp::And => "bvand",
            BvOp::Or => "bvor",
            BvOp::Xor => "bvxor",
            BvOp::Shl => "bvshl",
            BvOp::Lshr => "bvlshr",
            BvOp::Ashr => "bvashr",
        },
        _ => return None,
    })
}

impl Writer<'_> {
    fn line(&mut self, text: String) {
        self.out.push_str(&text);
        self.out.push('\n');
    }

    /// The text of `t`, whose line has been written.
    fn text(&self, t: Term) -> String {
        self.parts.get(&t).map_or_else(String::new, |p| p.text.clone())
    }

    /// A short text for `t`: a new name unless its text is atomic.
    fn name(&mut self, t: Term) -> String {
        let text = self.text(t);
        if !text.starts_with('(') || text.starts_with("(_ bv") {
            return text;
        }
        let name = format!("{t}");
        self.line(format!("(define-fun {name} () {} {text})", sort_text(self.terms.sort(t))));
        self.parts.insert(t, Part { text: name.clone(), depth: 0 });
        name
    }

    fn term(&mut self, t: Term, shared: bool) -> Result<(), SolverError> {
        let terms = self.terms;
        let node = terms.node(t);
        let text = match node.kind {
            Kind::Bool(b) => b.to_string(),
            Kind::Const(_) | Kind::BigConst(_) => terms.as_bv(t).map(|v| constant(&v)).unwrap_or_default(),
            Kind::Var(v) => self.declare(Leaf::Var(v), node.sort),
            Kind::Sym(s) => self.declare(Leaf::Sym(s), node.sort),
            Kind::Addr(o) => self.declare(Leaf::Addr(o), node.sort),
            Kind::Extract { hi, lo } => format!("((_ extract {hi} {lo}) {})", self.text(node.args[0])),
            Kind::Zext | Kind::Sext => {
                let more = node.sort.width() - terms.width(node.args[0]);
                let word = if node.kind == Kind::Zext { "zero_extend" } else { "sign_extend" };
                format!("((_ {word} {more}) {})", self.text(node.args[0]))
            }
            Kind::Read => self.read(node.args[0], node.args[1], node.sort.width()),
            Kind::Write => self.write(node.args[0], node.args[1], node.args[2]),
            Kind::ConstArray => {
                format!("((as const {}) {})", sort_text(node.sort), self.text(node.args[0]))
            }
            Kind::Copy => return Err(SolverError::Unsupported("a block copy that is not read".into())),
            Kind::Float(op, f) => self.float(t, op, f)?,
            kind => {
                let name = operator(kind).ok_or_else(|| SolverError::Failed(format!("{kind:?} has no name")))?;
                let args: Vec<String> = node.args.iter().map(|&a| self.text(a)).collect();
                format!("({name} {})", args.join(" "))
            }
        };
        let depth = node.args.iter().filter_map(|a| self.parts.get(a)).map(|p| p.depth + 1).max().unwrap_or(0);
        self.parts.insert(t, Part { text, depth });
        if shared || depth >= MAX_DEPTH {
            self.name(t);
        }
        Ok(())
    }

    fn declare(&mut self, leaf: Leaf, sort: Sort) -> String {
        let (name, meaning) = match leaf {
            Leaf::Var(v) => (format!("{v}"), String::new()),
            Leaf::Addr(o) => (format!("{o}"), String::new()),
            Leaf::Sym(s) => (format!("{s}"), format!(" ; {}", self.terms.symbol(s).name.replace('\n', " "))),
        };
        self.line(format!("(declare-const {name} {}){meaning}", sort_text(sort)));
        name
    }

    /// The address of cell number `i`.
    fn cell(&self, at: &str, address: Term, bytes: u64) -> String {
        if bytes == 0 {
            return at.into();
        }
        format!("(bvadd {at} {})", constant(&Bv::new(self.terms.width(address), bytes)))
    }

    fn read(&mut self, m: Term, at: Term, width: u32) -> String {
        let Sort::Array { elem, .. } = self.terms.sort(m) else { return String::new() };
        let (memory, address) = (self.name(m), self.name(at));
        let cells = (0..width / elem).rev();
        let parts: Vec<String> =
            cells.map(|i| format!("(select {memory} {})", self.cell(&address, at, u64::from(i * elem / 8)))).collect();
        if parts.len() == 1 { parts.concat() } else { format!("(concat {})", parts.join(" ")) }
    }

    fn write(&mut self, m: Term, at: Term, v: Term) -> String {
        let Sort::Array { elem, .. } = self.terms.sort(m) else { return String::new() };
        let (address, value) = (self.name(at), self.name(v));
        let cells = self.terms.width(v) / elem;
        let mut text = self.text(m);
        for i in 0..cells {
            let part = if cells == 1 {
                value.clone()
            } else {
                format!("((_ extract {} {}) {value})", (i + 1) * elem - 1, i * elem)
            };
            text = format!("(store {text} {} {part})", self.cell(&address, at, u64::from(i * elem / 8)));
        }
        text
    }

    /// The name of the floating-point number with the bits `t`.
    fn number(&mut self, t: Term, f: Format) -> String {
        if let Some(name) = self.numbers.get(&(t, f)) {
            return name.clone();
        }
        let bits = self.name(t);
        let number = number_of_bits(&bits, f);
        self.define_number(t, f, number)
    }

    fn define_number(&mut self, t: Term, f: Format, text: String) -> String {
        let name = format!("n{}_{}_{}", t.0, f.exponent_bits(), f.significand_bits());
        self.line(format!("(define-fun {name} () {} {text})", float_sort(f)));
        self.numbers.insert((t, f), name.clone());
        name
    }

    fn float(&mut self, t: Term, op: FloatOp, f: Format) -> Result<String, SolverError> {
        let node = self.terms.node(t);
        let args: Vec<String> =
            node.args.iter().map(|&a| if op.is_of_integer() { self.name(a) } else { self.number(a, f) }).collect();
        let all = args.join(" ");
        let (plain, mode) = op.and_rounding();
        let mode = rounding_name(mode);
        let number = match plain {
            FloatOp::Eq => return Ok(format!("(fp.eq {all})")),
            FloatOp::Lt => return Ok(format!("(fp.lt {all})")),
            FloatOp::Le => return Ok(format!("(fp.leq {all})")),
            FloatOp::ToSigned | FloatOp::ToUnsigned => {
                return Ok(to_integer(plain == FloatOp::ToSigned, f, &all, node.sort.width()));
            }
            FloatOp::Add => format!("(fp.add {mode} {all})"),
            FloatOp::Sub => format!("(fp.sub {mode} {all})"),
            FloatOp::Mul => format!("(fp.mul {mode} {all})"),
            FloatOp::Div => format!("(fp.div {mode} {all})"),
            FloatOp::Fma => format!("(fp.fma {mode} {all})"),
            FloatOp::Sqrt => format!("(fp.sqrt {mode} {all})"),
            FloatOp::Round(mode) => format!("(fp.roundToIntegral {} {all})", rounding_name(mode)),
            FloatOp::Convert(to) => format!("({} {mode} {all})", to_fp(to)),
            FloatOp::FromSigned => format!("({} {mode} {all})", to_fp(f)),
            FloatOp::FromUnsigned => {
                format!("((_ to_fp_unsigned {} {}) {mode} {all})", f.exponent_bits(), f.significand_bits())
            }
            FloatOp::Rem if f.exponent_bits() > 8 => return Err(SolverError::Unsupported("fmod".into())),
            FloatOp::Rem => {
                // As in `z3`: IEEE's remainder of the magnitudes, moved up if negative, with the sign of the
                // dividend.
                let (x, y) = (&args[0], &args[1]);
                let r = format!("(fp.rem (fp.abs {x}) (fp.abs {y}))");
                let zero = format!("(_ +zero {} {})", f.exponent_bits(), f.significand_bits());
                let up = format!("(ite (fp.lt {r} {zero}) (fp.add RNE {r} (fp.abs {y})) {r})");
                format!("(ite (fp.isNegative {x}) (fp.neg {up}) {up})")
            }
            FloatOp::Directed(..) => unreachable!("the mode is apart"),
        };
        let result = op.result_format(f).unwrap_or(f);
        let number = self.define_number(t, result, number);
        let bits = format!("b{}", t.0);
        self.line(format!("(declare-const {bits} (_ BitVec {}))", result.width_bits()));
        let back = number_of_bits(&bits, result);
        let nan = constant(&result.nan());
        self.line(format!("(assert (= {back} {number}))"));
        self.line(format!("(assert (=> (fp.isNaN {number}) (= {bits} {nan})))"));
        if result == Format::X87 {
            // A number may have several patterns. Only the canonical one is allowed: the explicit bit distinguishes normal
            // from denormal numbers.
            self.line(format!(
                "(assert (=> (not (fp.isNaN {number})) (= (= ((_ extract 63 63) {bits}) #b0) (= ((_ extract 78 64) {bits}) {}))))",
                constant(&Bv::new(15, 0))
            ));
        }
        Ok(bits)
    }
}

/// The number with the bit pattern `bits`.
fn number_of_bits(bits: &str, f: Format) -> String {
    if f != Format::X87 {
        return format!("({} {bits})", to_fp(f));
    }
    // As in `z3`: the explicit leading bit is dropped; patterns that the hardware rejects are NaN.
    let (e, zero, one) = (format!("((_ extract 78 64) {bits})"), constant(&Bv::new(15, 0)), constant(&Bv::new(15, 1)));
    let leading = format!("(= ((_ extract 63 63) {bits}) #b1)");
    let mut text = String::new();
    write!(
        text,
        "(ite (and (not (= {e} {zero})) (not {leading})) (_ NaN 15 64) ({} (concat ((_ extract 79 79) {bits}) \
         (ite (and (= {e} {zero}) {leading}) {one} {e}) ((_ extract 62 0) {bits}))))",
        to_fp(f)
    )
    .expect("writing to a string");
    text
}

/// The number `x` converted to an integer towards zero; zero if it is out of range.
fn to_integer(signed: bool, f: Format, x: &str, width: u32) -> String {
    let greatest_exponent = (1u32 << (f.exponent_bits() - 1)) - 1;
    let bits = if signed { width - 1 } else { width };
    let power = |sign: u64| {
        let e = Bv::new(f.exponent_bits(), u64::from(bits + greatest_exponent));
        let v = Bv::new(1, sign).concat(&e).concat(&Bv::new(f.significand_bits() - 1, 0));
        format!("({} {})", to_fp(f), constant(&v))
    };
    let whole = format!("(fp.roundToIntegral RTZ {x})");
    let mut inside = vec![format!("(not (fp.isInfinite {x}))"), format!("(not (fp.isNaN {x}))")];
    if bits <= greatest_exponent {
        inside.push(format!("(fp.lt {whole} {})", power(0)));
    }
    if !signed {
        inside.push(format!("(fp.geq {whole} (_ +zero {} {}))", f.exponent_bits(), f.significand_bits()));
    } else if bits <= greatest_exponent {
        inside.push(format!("(fp.geq {whole} {})", power(1)));
    }
    let word = if signed { "fp.to_sbv" } else { "fp.to_ubv" };
    format!("(ite (and {}) ((_ {word} {width}) RTZ {x}) {})", inside.join(" "), constant(&Bv::new(width, 0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_parts_get_names() {
        let mut terms = Terms::new();
        let x = terms.fresh("x", Sort::Bv(8));
        let y = terms.fresh("y", Sort::Bv(8));
        let sum = terms.add(x, y);
        let square = terms.bv_op(BvOp::Mul, sum, sum);
        let k = terms.int(8, 4);
        let t = terms.eq(square, k);
        let want = "(set-logic QF_BV)\n\
            (declare-const s0 (_ BitVec 8)) ; x\n\
            (declare-const s1 (_ BitVec 8)) ; y\n\
            (define-fun t2 () (_ BitVec 8) (bvadd s0 s1))\n\
            (assert (= (bvmul t2 t2) (_ bv4 8)))\n\
            (check-sat)\n";
        assert_eq!(script(&terms, &[t]).unwrap(), want);
    }
}
