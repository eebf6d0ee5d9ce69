//! Translation of terms to Z3's syntax trees.
//!
//! Each term is translated once, without recursion. A float term has two views: its bits, and Z3's floating-point number. The
//! number is derived from the bits (or the bits from the number) only where it is needed, so that chains of float operators
//! stay numbers. NaN is one number with many bit patterns; operators yield the canonical pattern, as in `cfa::float`.

use super::Context;
use crate::solver::SolverError;
use cfa::bv::{Bv, BvCmp, BvOp};
use cfa::float::{FloatOp, Format};
use cfa::term::{Kind, Leaf, Node};
use cfa::{Sort, Term, Terms};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::ffi::CString;
use z3_sys::*;

/// Maximum length, in cells, of block copies that are expanded to writes if no read has eliminated them.
const EXPANDED_CELLS: u64 = 64;

/// Flag of terms that contain more than bit-vectors and Bool.
const BEYOND_BITS: u8 = 1;

/// Flag of terms that contain a copy translated to a function of the address.
const LAMBDA: u8 = 2;

/// A view of a term: as a term of its own sort, or as a number of the format.
type View = (Term, Option<Format>);

pub(super) type Made = Result<Z3_ast, SolverError>;

/// The translations made in one context.
pub(super) struct Translator {
    asts: Vec<Option<Z3_ast>>,
    flags: Vec<u8>,
    numbers: FxHashMap<View, Z3_ast>,
    bit_sorts: Vec<Option<Z3_sort>>,
    array_sorts: FxHashMap<(u32, u32), Z3_sort>,
    float_sorts: FxHashMap<Format, Z3_sort>,
    bool_sort: Z3_sort,
    pub(super) modes: Modes,
    /// Leaves by their declarations.
    pub(super) leaves: FxHashMap<Z3_func_decl, (Leaf, Sort)>,
    count: u64,
}

/// Z3's rounding modes.
pub(super) struct Modes {
    pub(super) nearest_even: Z3_ast,
    pub(super) nearest_away: Z3_ast,
    pub(super) up: Z3_ast,
    pub(super) down: Z3_ast,
    pub(super) zero: Z3_ast,
}

/// The format of a float operator's result, if that is a float.
pub(super) fn result_format(op: FloatOp, format: Format) -> Option<Format> {
    match op {
        FloatOp::Eq | FloatOp::Lt | FloatOp::Le | FloatOp::ToSigned | FloatOp::ToUnsigned => None,
        FloatOp::Convert(to) => Some(to),
        _ => Some(format),
    }
}

/// How the number of a term that is not a float operator is obtained.
enum Shape {
    /// As a choice between two numbers.
    Ite,
    /// As the negated number of the argument.
    Neg(Term),
    /// As the magnitude of the argument's number.
    Abs(Term),
    /// From the bits.
    Bits,
}

fn shape(terms: &Terms, t: Term, format: Format) -> Shape {
    let w = format.width_bits();
    match (terms.kind(t), terms.args(t)) {
        (Kind::Ite, _) => Shape::Ite,
        (Kind::Bv(BvOp::Xor), &[x, k]) => {
            let sign = Bv::new(1, 1).concat(&Bv::new(w - 1, 0));
            if terms.as_bv(k) == Some(sign) { Shape::Neg(x) } else { Shape::Bits }
        }
        (Kind::Zext, &[x]) if terms.kind(x) == (Kind::Extract { hi: w - 2, lo: 0 }) => {
            let inner = terms.args(x)[0];
            if terms.width(inner) == w { Shape::Abs(inner) } else { Shape::Bits }
        }
        _ => Shape::Bits,
    }
}

impl Translator {
    pub(super) fn new(c: &Context) -> Result<Translator, SolverError> {
        // SAFETY: the context is alive.
        unsafe {
            Ok(Translator {
                asts: Vec::new(),
                flags: Vec::new(),
                numbers: FxHashMap::default(),
                bit_sorts: Vec::new(),
                array_sorts: FxHashMap::default(),
                float_sorts: FxHashMap::default(),
                bool_sort: c.ok(Z3_mk_bool_sort(c.raw))?,
                modes: Modes {
                    nearest_even: c.ok(Z3_mk_fpa_rne(c.raw))?,
                    nearest_away: c.ok(Z3_mk_fpa_rna(c.raw))?,
                    up: c.ok(Z3_mk_fpa_rtp(c.raw))?,
                    down: c.ok(Z3_mk_fpa_rtn(c.raw))?,
                    zero: c.ok(Z3_mk_fpa_rtz(c.raw))?,
                },
                leaves: FxHashMap::default(),
                count: 0,
            })
        }
    }

    /// The number of terms translated.
    pub(super) fn translated(&self) -> u64 {
        self.count
    }

    pub(super) fn bool_sort(&self) -> Z3_sort {
        self.bool_sort
    }

    /// The translation of `t`, if it has been translated.
    pub(super) fn known(&self, t: Term) -> Option<Z3_ast> {
        self.asts.get(t.0 as usize).copied().flatten()
    }

    /// Whether the translated `t` contains neither memories nor floats.
    pub(super) fn only_bits(&self, t: Term) -> bool {
        self.flags.get(t.0 as usize).is_some_and(|f| f & BEYOND_BITS == 0)
    }

    /// Whether the translated `t` contains a copy that became a function of the address.
    pub(super) fn has_lambda(&self, t: Term) -> bool {
        self.flags.get(t.0 as usize).is_some_and(|f| f & LAMBDA != 0)
    }

    fn view(&self, (t, number): View) -> Option<Z3_ast> {
        match number {
            None => self.known(t),
            Some(_) => self.numbers.get(&(t, number)).copied(),
        }
    }

    fn need(&self, view: View) -> Made {
        self.view(view).ok_or_else(|| SolverError::Failed("an argument is not translated".into()))
    }

    /// Translates `t`.
    pub(super) fn term(&mut self, c: &Context, terms: &Terms, t: Term) -> Made {
        if let Some(ast) = self.known(t) {
            return Ok(ast);
        }
        if self.asts.len() < terms.len() {
            self.asts.resize(terms.len(), None);
            self.flags.resize(terms.len(), 0);
        }
        let mut stack: Vec<View> = vec![(t, None)];
        while let Some(&view) = stack.last() {
            if self.view(view).is_some() {
                stack.pop();
                continue;
            }
            let open = stack.len();
            self.push_missing(terms, view, &mut stack);
            if stack.len() > open {
                continue;
            }
            stack.pop();
            let ast = self.build(c, terms, view)?;
            match view.1 {
                None => self.asts[view.0.0 as usize] = Some(ast),
                Some(_) => {
                    self.numbers.insert(view, ast);
                }
            }
            self.count += 1;
        }
        self.need((t, None))
    }

    /// Pushes the views that `view` is made of and that have not been translated.
    fn push_missing(&self, terms: &Terms, (t, number): View, stack: &mut Vec<View>) {
        let node = terms.node(t);
        let mut push = |v: View| {
            if self.view(v).is_none() {
                stack.push(v);
            }
        };
        match (node.kind, number) {
            (Kind::Float(op, f), _) if number.is_some() || result_format(op, f).is_none() => {
                let from_bits = matches!(op, FloatOp::FromSigned | FloatOp::FromUnsigned);
                if number.is_some() && number != result_format(op, f) {
                    // The bits of one format reinterpreted as another (both have 16 bits).
                    return push((t, None));
                }
                for &a in &node.args {
                    push((a, if from_bits { None } else { Some(f) }));
                }
            }
            (Kind::Float(op, f), _) => push((t, result_format(op, f))),
            (_, Some(f)) => match shape(terms, t, f) {
                Shape::Ite => {
                    push((node.args[0], None));
                    push((node.args[1], number));
                    push((node.args[2], number));
                }
                Shape::Neg(x) | Shape::Abs(x) => push((x, number)),
                Shape::Bits => push((t, None)),
            },
            (_, None) => {
                for &a in &node.args {
                    push((a, None));
                }
            }
        }
    }

    fn build(&mut self, c: &Context, terms: &Terms, (t, number): View) -> Made {
        let node = terms.node(t);
        match (node.kind, number) {
            (Kind::Float(op, f), Some(wanted)) if result_format(op, f) == Some(wanted) => {
                let args = self.float_args(op, f, node)?;
                self.float_number(c, op, f, &args)
            }
            (_, Some(f)) => match shape(terms, t, f) {
                Shape::Ite if !matches!(node.kind, Kind::Float(..)) => {
                    let [p, a, b] = *node.args else { return Err(arity()) };
                    let (p, a, b) = (self.need((p, None))?, self.need((a, number))?, self.need((b, number))?);
                    // SAFETY: all trees belong to this context; so in the whole module.
                    c.ok(unsafe { Z3_mk_ite(c.raw, p, a, b) })
                }
                Shape::Neg(x) => c.ok(unsafe { Z3_mk_fpa_neg(c.raw, self.need((x, number))?) }),
                Shape::Abs(x) => c.ok(unsafe { Z3_mk_fpa_abs(c.raw, self.need((x, number))?) }),
                _ => {
                    let bits = self.need((t, None))?;
                    self.number_of_bits(c, bits, f)
                }
            },
            (Kind::Float(op, f), None) => {
                self.flags[t.0 as usize] |= BEYOND_BITS;
                match result_format(op, f) {
                    Some(result) => {
                        let x = self.need((t, Some(result)))?;
                        self.bits_of_number(c, x, result)
                    }
                    None => {
                        let args = self.float_args(op, f, node)?;
                        self.float_test(c, op, f, &args, node.sort)
                    }
                }
            }
            (_, None) => {
                let mut flags = if matches!(node.sort, Sort::Array { .. }) { BEYOND_BITS } else { 0 };
                let mut args: SmallVec<[Z3_ast; 5]> = SmallVec::new();
                for &a in &node.args {
                    args.push(self.need((a, None))?);
                    flags |= self.flags[a.0 as usize];
                }
                if node.kind == Kind::Copy {
                    flags |= LAMBDA;
                }
                self.flags[t.0 as usize] = flags;
                match node.kind {
                    Kind::BigConst(_) => self.constant(c, &terms.as_bv(t).ok_or_else(arity)?),
                    Kind::Copy => match terms.as_u64(node.args[4]) {
                        Some(bytes) => self.copy_short(c, node.sort, &args, bytes),
                        None => self.plain(c, node.kind, node.sort, &args, &|i| terms.sort(node.args[i])),
                    },
                    _ => self.plain(c, node.kind, node.sort, &args, &|i| terms.sort(node.args[i])),
                }
            }
        }
    }

    fn float_args(&self, op: FloatOp, f: Format, node: &Node) -> Result<SmallVec<[Z3_ast; 3]>, SolverError> {
        let from_bits = matches!(op, FloatOp::FromSigned | FloatOp::FromUnsigned);
        node.args.iter().map(|&a| self.need((a, if from_bits { None } else { Some(f) }))).collect()
    }

    /// An operator other than those of floats on translated arguments; `sort_of` returns the arguments' sorts.
    pub(super) fn plain(
        &mut self,
        c: &Context,
        kind: Kind,
        sort: Sort,
        args: &[Z3_ast],
        sort_of: &dyn Fn(usize) -> Sort,
    ) -> Made {
        let x = c.raw;
        let made = match (kind, args) {
            (Kind::Bool(b), _) => unsafe { if b { Z3_mk_true(x) } else { Z3_mk_false(x) } },
            (Kind::Const(v), _) => return self.word(c, sort.width(), v),
            (Kind::Var(v), _) => return self.leaf(c, Leaf::Var(v), sort),
            (Kind::Sym(s), _) => return self.leaf(c, Leaf::Sym(s), sort),
            (Kind::Addr(o), _) => return self.leaf(c, Leaf::Addr(o), sort),
            (Kind::Not, &[a]) => unsafe { Z3_mk_not(x, a) },
            (Kind::And, &[_, _]) => unsafe { Z3_mk_and(x, 2, args.as_ptr()) },
            (Kind::Or, &[_, _]) => unsafe { Z3_mk_or(x, 2, args.as_ptr()) },
            (Kind::Ite, &[p, a, b]) => unsafe { Z3_mk_ite(x, p, a, b) },
            (Kind::Eq, &[a, b]) => unsafe { Z3_mk_eq(x, a, b) },
            (Kind::Bv(op), &[a, b]) => unsafe {
                match op {
                    BvOp::Add => Z3_mk_bvadd(x, a, b),
                    BvOp::Sub => Z3_mk_bvsub(x, a, b),
                    BvOp::Mul => Z3_mk_bvmul(x, a, b),
                    BvOp::Udiv => Z3_mk_bvudiv(x, a, b),
                    BvOp::Urem => Z3_mk_bvurem(x, a, b),
                    BvOp::Sdiv => Z3_mk_bvsdiv(x, a, b),
                    BvOp::Srem => Z3_mk_bvsrem(x, a, b),
                    BvOp::And => Z3_mk_bvand(x, a, b),
                    BvOp::Or => Z3_mk_bvor(x, a, b),
                    BvOp::Xor => Z3_mk_bvxor(x, a, b),
                    BvOp::Shl => Z3_mk_bvshl(x, a, b),
                    BvOp::Lshr => Z3_mk_bvlshr(x, a, b),
                    BvOp::Ashr => Z3_mk_bvashr(x, a, b),
                }
            },
            (Kind::Cmp(cmp), &[a, b]) => unsafe {
                match cmp {
                    BvCmp::Ult => Z3_mk_bvult(x, a, b),
                    BvCmp::Ule => Z3_mk_bvule(x, a, b),
                    BvCmp::Slt => Z3_mk_bvslt(x, a, b),
                    BvCmp::Sle => Z3_mk_bvsle(x, a, b),
                }
            },
            (Kind::BvNot, &[a]) => unsafe { Z3_mk_bvnot(x, a) },
            (Kind::BvNeg, &[a]) => unsafe { Z3_mk_bvneg(x, a) },
            (Kind::Extract { hi, lo }, &[a]) => unsafe { Z3_mk_extract(x, hi, lo, a) },
            (Kind::Concat, &[a, b]) => unsafe { Z3_mk_concat(x, a, b) },
            (Kind::Zext | Kind::Sext, &[a]) => {
                let more = sort.width() - sort_of(0).width();
                unsafe { if kind == Kind::Zext { Z3_mk_zero_ext(x, more, a) } else { Z3_mk_sign_ext(x, more, a) } }
            }
            (Kind::Read, &[m, at]) => {
                let (index, elem) = array(sort_of(0))?;
                return self.read(c, (index, elem), m, at, sort.width() / elem);
            }
            (Kind::Write, &[m, at, v]) => {
                let (index, elem) = array(sort)?;
                return self.write(c, (index, elem), m, at, v, sort_of(2).width() / elem);
            }
            (Kind::ConstArray, &[v]) => {
                let (index, _) = array(sort)?;
                let domain = self.bits(c, index)?;
                unsafe { Z3_mk_const_array(x, domain, v) }
            }
            (Kind::Copy, &[dst, to, src, from, len]) => {
                return self.copy_lambda(c, array(sort)?, [dst, to, src, from, len]);
            }
            _ => return Err(arity()),
        };
        c.ok(made)
    }

    fn leaf(&mut self, c: &Context, leaf: Leaf, sort: Sort) -> Made {
        let name = match leaf {
            Leaf::Var(v) => format!("{v}"),
            Leaf::Sym(s) => format!("{s}"),
            Leaf::Addr(o) => format!("{o}"),
        };
        let name = c.symbol(&name)?;
        let z3_sort = self.sort(c, sort)?;
        unsafe {
            let ast = c.ok(Z3_mk_const(c.raw, name, z3_sort))?;
            let app = c.ok(Z3_to_app(c.raw, ast))?;
            let decl = c.ok(Z3_get_app_decl(c.raw, app))?;
            self.leaves.insert(decl, (leaf, sort));
            Ok(ast)
        }
    }

    fn sort(&mut self, c: &Context, sort: Sort) -> Result<Z3_sort, SolverError> {
        match sort {
            Sort::Bool => Ok(self.bool_sort),
            Sort::Bv(w) => self.bits(c, w),
            Sort::Array { index, elem } => {
                if let Some(&s) = self.array_sorts.get(&(index, elem)) {
                    return Ok(s);
                }
                let (domain, range) = (self.bits(c, index)?, self.bits(c, elem)?);
                let s = c.ok(unsafe { Z3_mk_array_sort(c.raw, domain, range) })?;
                self.array_sorts.insert((index, elem), s);
                Ok(s)
            }
        }
    }

    fn bits(&mut self, c: &Context, width: u32) -> Result<Z3_sort, SolverError> {
        let i = width as usize;
        if i >= self.bit_sorts.len() {
            self.bit_sorts.resize(i + 1, None);
        }
        if let Some(s) = self.bit_sorts[i] {
            return Ok(s);
        }
        let s = c.ok(unsafe { Z3_mk_bv_sort(c.raw, width) })?;
        self.bit_sorts[i] = Some(s);
        Ok(s)
    }

    /// The sort of numbers of `format`.
    pub(super) fn float_sort(&mut self, c: &Context, format: Format) -> Result<Z3_sort, SolverError> {
        if let Some(&s) = self.float_sorts.get(&format) {
            return Ok(s);
        }
        // Z3 counts the hidden bit of every format, including X87's explicit one.
        let s = c.ok(unsafe { Z3_mk_fpa_sort(c.raw, format.exponent_bits(), format.significand_bits()) })?;
        self.float_sorts.insert(format, s);
        Ok(s)
    }

    pub(super) fn word(&mut self, c: &Context, width: u32, v: u64) -> Made {
        let sort = self.bits(c, width)?;
        c.ok(unsafe { Z3_mk_unsigned_int64(c.raw, v, sort) })
    }

    /// A bit-vector constant.
    pub(super) fn constant(&mut self, c: &Context, v: &Bv) -> Made {
        if let (true, Some(word)) = (v.width() <= 64, v.to_u64()) {
            return self.word(c, v.width(), word);
        }
        let sort = self.bits(c, v.width())?;
        let digits = CString::new(v.to_big().to_string()).map_err(|_| arity())?;
        c.ok(unsafe { Z3_mk_numeral(c.raw, digits.as_ptr(), sort) })
    }

    fn offset(&mut self, c: &Context, index: u32, at: Z3_ast, bytes: u64) -> Made {
        if bytes == 0 {
            return Ok(at);
        }
        let k = self.word(c, index, bytes & if index >= 64 { u64::MAX } else { (1 << index) - 1 })?;
        c.ok(unsafe { Z3_mk_bvadd(c.raw, at, k) })
    }

    fn read(&mut self, c: &Context, (index, elem): (u32, u32), m: Z3_ast, at: Z3_ast, cells: u32) -> Made {
        let mut whole = c.ok(unsafe { Z3_mk_select(c.raw, m, at) })?;
        for i in 1..cells {
            let next = self.offset(c, index, at, u64::from(i * elem / 8))?;
            unsafe {
                let cell = c.ok(Z3_mk_select(c.raw, m, next))?;
                whole = c.ok(Z3_mk_concat(c.raw, cell, whole))?;
            }
        }
        Ok(whole)
    }

    fn write(&mut self, c: &Context, (index, elem): (u32, u32), m: Z3_ast, at: Z3_ast, v: Z3_ast, cells: u32) -> Made {
        let mut m = m;
        for i in 0..cells {
            let next = self.offset(c, index, at, u64::from(i * elem / 8))?;
            unsafe {
                let part = if cells == 1 { v } else { c.ok(Z3_mk_extract(c.raw, (i + 1) * elem - 1, i * elem, v))? };
                m = c.ok(Z3_mk_store(c.raw, m, next, part))?;
            }
        }
        Ok(m)
    }

    /// A copy of `bytes` bytes, cell by cell if there are few.
    fn copy_short(&mut self, c: &Context, sort: Sort, args: &[Z3_ast], bytes: u64) -> Made {
        let &[dst, to, src, from, len] = args else { return Err(arity()) };
        let (index, elem) = array(sort)?;
        match bytes / u64::from(elem / 8) {
            0 => Ok(dst),
            cells if cells <= EXPANDED_CELLS => {
                let v = self.read(c, (index, elem), src, from, cells as u32)?;
                self.write(c, (index, elem), dst, to, v, cells as u32)
            }
            _ => self.copy_lambda(c, (index, elem), [dst, to, src, from, len]),
        }
    }

    /// A copy of any length as a function of the address.
    fn copy_lambda(&mut self, c: &Context, (index, _): (u32, u32), args: [Z3_ast; 5]) -> Made {
        let [dst, to, src, from, len] = args;
        let sort = self.bits(c, index)?;
        let x = c.raw;
        unsafe {
            let i = c.ok(Z3_mk_fresh_const(x, c"i".as_ptr(), sort))?;
            let offset = c.ok(Z3_mk_bvsub(x, i, to))?;
            let inside = c.ok(Z3_mk_bvult(x, offset, len))?;
            let source = c.ok(Z3_mk_bvadd(x, from, offset))?;
            let copied = c.ok(Z3_mk_select(x, src, source))?;
            let kept = c.ok(Z3_mk_select(x, dst, i))?;
            let cell = c.ok(Z3_mk_ite(x, inside, copied, kept))?;
            let bound = [c.ok(Z3_to_app(x, i))?];
            c.ok(Z3_mk_lambda_const(x, 1, bound.as_ptr(), cell))
        }
    }
}

fn array(sort: Sort) -> Result<(u32, u32), SolverError> {
    match sort {
        Sort::Array { index, elem } => Ok((index, elem)),
        _ => Err(SolverError::Failed("a memory operator on something else".into())),
    }
}

pub(super) fn arity() -> SolverError {
    SolverError::Failed("an operator with the wrong arguments".into())
}
