//! The operators of the text format, with the sorts that they require.

use crate::bv::{BvCmp, BvOp};
use crate::float::{FloatOp, Format, Rounding};
use crate::term::{Kind, Sort, Term, Terms, bv_name, cmp_name, float_name, rounding_name};

/// The end of the name of an operator that reads or writes a pointer ([`crate::RawFacts::pointer_accesses`]).
pub(super) const POINTER: &str = ".pointer";

const FORMATS: [(&str, Format); 6] = [
    ("f16", Format::Half),
    ("bf16", Format::BFloat),
    ("f32", Format::Single),
    ("f64", Format::Double),
    ("f80", Format::X87),
    ("f128", Format::Quad),
];

const PLAIN_FLOAT_OPS: [FloatOp; 17] = [
    FloatOp::Add,
    FloatOp::Sub,
    FloatOp::Mul,
    FloatOp::Div,
    FloatOp::Rem,
    FloatOp::Fma,
    FloatOp::Sqrt,
    FloatOp::Round(Rounding::NearestEven),
    FloatOp::Round(Rounding::NearestAway),
    FloatOp::Round(Rounding::Up),
    FloatOp::Round(Rounding::Down),
    FloatOp::Round(Rounding::Zero),
    FloatOp::Eq,
    FloatOp::Lt,
    FloatOp::Le,
    FloatOp::FromSigned,
    FloatOp::FromUnsigned,
];

/// The kind and sort of the operator `name` on arguments of these sorts; an error message if there is no such operator.
pub(super) fn operator(name: &str, args: &[Sort]) -> Result<(Kind, Sort), String> {
    use Sort::{Array, Bool, Bv};
    let wrong = || format!("`{name}` cannot be applied to arguments of sorts {args:?}");
    let fits = |ok: bool, kind: Kind, sort: Sort| if ok { Ok((kind, sort)) } else { Err(wrong()) };
    if let Some(op) = BvOp::ALL.into_iter().find(|op| bv_name(*op) == name) {
        return match *args {
            [Bv(a), Bv(b)] => fits(a == b, Kind::Bv(op), Bv(a)),
            _ => Err(wrong()),
        };
    }
    if let Some(cmp) = BvCmp::ALL.into_iter().find(|c| cmp_name(*c) == name) {
        return match *args {
            [Bv(a), Bv(b)] => fits(a == b, Kind::Cmp(cmp), Bool),
            _ => Err(wrong()),
        };
    }
    let mut parts = name.split('.');
    let head = parts.next().unwrap_or_default();
    let numbers: Vec<Option<u32>> = parts.map(|p| p.parse().ok()).collect();
    match (head, &numbers[..], args) {
        ("not", [], [Bool]) => Ok((Kind::Not, Bool)),
        ("and", [], [Bool, Bool]) => Ok((Kind::And, Bool)),
        ("or", [], [Bool, Bool]) => Ok((Kind::Or, Bool)),
        ("ite", [], [Bool, a, b]) => fits(a == b, Kind::Ite, *a),
        ("=", [], [a, b]) => fits(a == b, Kind::Eq, Bool),
        ("bvnot", [], [Bv(a)]) => Ok((Kind::BvNot, Bv(*a))),
        ("bvneg", [], [Bv(a)]) => Ok((Kind::BvNeg, Bv(*a))),
        ("extract", &[Some(hi), Some(lo)], &[Bv(a)]) => {
            fits(lo <= hi && hi < a, Kind::Extract { hi, lo }, Bv(hi.wrapping_sub(lo).wrapping_add(1)))
        }
        ("concat", [], &[Bv(a), Bv(b)]) => fits(a.checked_add(b).is_some(), Kind::Concat, Bv(a.wrapping_add(b))),
        ("zext", &[Some(w)], &[Bv(a)]) => fits(w >= a, Kind::Zext, Bv(w)),
        ("sext", &[Some(w)], &[Bv(a)]) => fits(w >= a, Kind::Sext, Bv(w)),
        ("read", &[Some(w)], &[Array { index, elem }, Bv(at)]) => {
            fits(at == index && w > 0 && w % elem == 0, Kind::Read, Bv(w))
        }
        ("write", [], &[m @ Array { index, elem }, Bv(at), Bv(v)]) => {
            fits(at == index && v % elem == 0, Kind::Write, m)
        }
        ("const_array", &[Some(index)], &[Bv(elem)]) => {
            fits(index > 0 && elem % 8 == 0, Kind::ConstArray, Array { index, elem })
        }
        ("copy", [], &[m @ Array { index, .. }, Bv(to), src, Bv(from), Bv(len)]) => {
            fits(m == src && [to, from, len] == [index; 3], Kind::Copy, m)
        }
        _ => match float(name, args) {
            Some(found) => Ok(found),
            None => Err(wrong()),
        },
    }
}

/// The rounding modes of operators that do not round to nearest.
const DIRECTED: [Rounding; 4] = [Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::Zero];

fn float(name: &str, args: &[Sort]) -> Option<(Kind, Sort)> {
    let plain = |mode: &Rounding| name.strip_suffix(rounding_name(*mode))?.strip_suffix('.');
    if let Some((name, mode)) = DIRECTED.iter().find_map(|mode| Some((plain(mode)?, *mode))) {
        let (kind, sort) = float(name, args)?;
        return match kind {
            Kind::Float(op, format) if op.rounded(mode) != op => Some((Kind::Float(op.rounded(mode), format), sort)),
            _ => None,
        };
    }
    let (head, rest) = name.split_once('.')?;
    let format = FORMATS.iter().find(|(n, _)| *n == head)?.1;
    let own = Sort::Bv(format.width_bits());
    let converted = rest.strip_prefix("to_");
    let (op, sort) = if let Some((_, to)) = FORMATS.iter().find(|(n, _)| converted == Some(n)) {
        (FloatOp::Convert(*to), Sort::Bv(to.width_bits()))
    } else if let Some(to) = converted {
        let (op, w) = match to.split_at_checked(1)? {
            ("s", w) => (FloatOp::ToSigned, w),
            ("u", w) => (FloatOp::ToUnsigned, w),
            _ => return None,
        };
        (op, Sort::Bv(w.parse().ok().filter(|w| *w > 0)?))
    } else {
        let op = PLAIN_FLOAT_OPS.into_iter().find(|op| float_name(*op, format, 1) == name)?;
        let bool_valued = matches!(op, FloatOp::Eq | FloatOp::Lt | FloatOp::Le);
        (op, if bool_valued { Sort::Bool } else { own })
    };
    let fits = match op {
        FloatOp::FromSigned | FloatOp::FromUnsigned => matches!(args, [Sort::Bv(_)]),
        FloatOp::Add | FloatOp::Sub | FloatOp::Mul | FloatOp::Div | FloatOp::Rem => args == [own; 2],
        FloatOp::Eq | FloatOp::Lt | FloatOp::Le => args == [own; 2],
        FloatOp::Fma => args == [own; 3],
        _ => args == [own],
    };
    fits.then_some((Kind::Float(op, format), sort))
}

/// The term as written if it is in normal form up to the order of its two arguments; otherwise, the result of the constructor.
///
/// Constructors order the arguments of commutative operators by their ids, which a text does not preserve.
pub(super) fn make(terms: &mut Terms, kind: Kind, args: &[Term], sort: Sort) -> Term {
    let t = terms.make(kind, args, sort);
    if terms.kind(t) == kind && args.len() == 2 && terms.args(t) == [args[1], args[0]] {
        return terms.intern(kind, args, sort);
    }
    t
}
