//! Printing of terms as SMT-LIB text, for display and for the CFA's text format.
//!
//! Floats are printed as operators with a format on bit patterns (`(f64.add x y)`), a notation of our own that `text` can
//! parse. Whole queries for other solvers are written by the SMT crate.

use super::{Kind, Term, Terms};
use crate::bv::{BvCmp, BvOp};
use crate::float::{FloatOp, Format, Rounding};
use crate::ids::{ObjectId, SymId, VarId};

/// Names for the leaves of a printed term.
pub struct Printer<'a> {
    /// The name of a program variable.
    pub var: &'a dyn Fn(VarId) -> String,
    /// The name of a symbol.
    pub sym: &'a dyn Fn(SymId) -> String,
    /// The name of an object.
    pub object: &'a dyn Fn(ObjectId) -> String,
}

/// The name of a format in operator names.
pub(crate) fn format_name(f: Format) -> &'static str {
    match f {
        Format::Half => "f16",
        Format::BFloat => "bf16",
        Format::Single => "f32",
        Format::Double => "f64",
        Format::X87 => "f80",
        Format::Quad => "f128",
    }
}

/// The name of a bit-vector operator in SMT-LIB.
pub(crate) fn bv_name(op: BvOp) -> &'static str {
    match op {
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
    }
}

/// The name of a comparison in SMT-LIB.
pub(crate) fn cmp_name(cmp: BvCmp) -> &'static str {
    match cmp {
        BvCmp::Ult => "bvult",
        BvCmp::Ule => "bvule",
        BvCmp::Slt => "bvslt",
        BvCmp::Sle => "bvsle",
    }
}

/// The name of a rounding direction in SMT-LIB.
pub fn rounding_name(mode: Rounding) -> &'static str {
    match mode {
        Rounding::NearestEven => "RNE",
        Rounding::NearestAway => "RNA",
        Rounding::Up => "RTP",
        Rounding::Down => "RTN",
        Rounding::Zero => "RTZ",
    }
}

/// The name of a float operator with a result of `width` bits.
pub(crate) fn float_name(op: FloatOp, format: Format, width: u32) -> String {
    let f = format_name(format);
    match op {
        FloatOp::Add => format!("{f}.add"),
        FloatOp::Sub => format!("{f}.sub"),
        FloatOp::Mul => format!("{f}.mul"),
        FloatOp::Div => format!("{f}.div"),
        FloatOp::Rem => format!("{f}.rem"),
        FloatOp::Fma => format!("{f}.fma"),
        FloatOp::Sqrt => format!("{f}.sqrt"),
        FloatOp::Round(Rounding::NearestEven) => format!("{f}.rint"),
        FloatOp::Round(Rounding::NearestAway) => format!("{f}.round"),
        FloatOp::Round(Rounding::Up) => format!("{f}.ceil"),
        FloatOp::Round(Rounding::Down) => format!("{f}.floor"),
        FloatOp::Round(Rounding::Zero) => format!("{f}.trunc"),
        FloatOp::Eq => format!("{f}.eq"),
        FloatOp::Lt => format!("{f}.lt"),
        FloatOp::Le => format!("{f}.le"),
        FloatOp::Convert(to) => format!("{f}.to_{}", format_name(to)),
        FloatOp::ToSigned => format!("{f}.to_s{width}"),
        FloatOp::ToUnsigned => format!("{f}.to_u{width}"),
        FloatOp::FromSigned => format!("{f}.from_s"),
        FloatOp::FromUnsigned => format!("{f}.from_u"),
        FloatOp::Directed(..) => {
            let (op, mode) = op.and_rounding();
            format!("{}.{}", float_name(op, format, width), rounding_name(mode))
        }
    }
}

impl Terms {
    /// `t` as text, with leaf names from `names`. Shared subterms are printed each time.
    pub fn print(&self, t: Term, names: &Printer<'_>) -> String {
        let mut out = String::new();
        self.print_into(&mut out, t, names, usize::MAX);
        out
    }

    /// The printed operator of `t`, which must not be a leaf or constant.
    pub(crate) fn operator_name(&self, t: Term) -> String {
        let node = self.node(t);
        match node.kind {
            Kind::Not => "not".into(),
            Kind::And => "and".into(),
            Kind::Or => "or".into(),
            Kind::Ite => "ite".into(),
            Kind::Eq => "=".into(),
            Kind::Bv(op) => bv_name(op).into(),
            Kind::Cmp(cmp) => cmp_name(cmp).into(),
            Kind::BvNot => "bvnot".into(),
            Kind::BvNeg => "bvneg".into(),
            Kind::Extract { hi, lo } => format!("extract.{hi}.{lo}"),
            Kind::Concat => "concat".into(),
            Kind::Zext => format!("zext.{}", node.sort.width()),
            Kind::Sext => format!("sext.{}", node.sort.width()),
            Kind::Float(op, format) => float_name(op, format, if let super::Sort::Bv(w) = node.sort { w } else { 1 }),
            Kind::Read => format!("read.{}", node.sort.width()),
            Kind::Write => "write".into(),
            Kind::ConstArray => match node.sort {
                super::Sort::Array { index, .. } => format!("const_array.{index}"),
                other => panic!("{other:?} is not an array sort"),
            },
            Kind::Copy => "copy".into(),
            Kind::Bool(_) | Kind::Const(_) | Kind::BigConst(_) | Kind::Var(_) | Kind::Sym(_) | Kind::Addr(_) => {
                String::new()
            }
        }
    }

    /// The printed form of `t`, if it is a leaf or constant.
    pub(crate) fn leaf_name(&self, t: Term, names: &Printer<'_>) -> Option<String> {
        Some(match self.kind(t) {
            Kind::Bool(b) => b.to_string(),
            Kind::Const(_) | Kind::BigConst(_) => self.as_bv(t)?.to_string(),
            Kind::Var(v) => (names.var)(v),
            Kind::Sym(s) => (names.sym)(s),
            Kind::Addr(o) => format!("&{}", (names.object)(o)),
            _ => return None,
        })
    }

    /// The beginning of what [`Terms::print`] prints: all of it, or more than `enough` bytes. What is printed of a term that shares its parts is
    /// exponentially longer than the term.
    pub fn print_start(&self, t: Term, names: &Printer<'_>, enough: usize) -> String {
        let mut out = String::new();
        self.print_into(&mut out, t, names, enough);
        out
    }

    fn print_into(&self, out: &mut String, t: Term, names: &Printer<'_>, enough: usize) {
        if out.len() > enough {
            return;
        }
        if let Some(leaf) = self.leaf_name(t, names) {
            return out.push_str(&leaf);
        }
        out.push('(');
        out.push_str(&self.operator_name(t));
        for &a in self.args(t) {
            out.push(' ');
            self.print_into(out, a, names, enough);
        }
        out.push(')');
    }
}
