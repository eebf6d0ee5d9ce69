//! Operators on truth values, bit-vectors and memories as Z3's trees, with the sorts and leaves of a context.

use super::raw::{Context, Made};
use crate::solver::SolverError;
use cfa::Sort;
use cfa::bv::{Bv, BvCmp, BvOp};
use cfa::float::{Format, Rounding};
use cfa::term::{Kind, Leaf};
use rustc_hash::FxHashMap;
use z3::ast::{BV, Dynamic, RoundingMode, lambda_const};

/// Maximum length, in cells, of block copies that are expanded to writes if no read has eliminated them.
const EXPANDED_CELLS: u64 = 64;

/// What operators need of a context: its sorts, rounding modes and leaves.
pub(super) struct Operators {
    bool_sort: z3::Sort,
    bit_sorts: Vec<Option<z3::Sort>>,
    array_sorts: FxHashMap<(u32, u32), z3::Sort>,
    float_sorts: FxHashMap<Format, z3::Sort>,
    modes: [RoundingMode; 5],
    /// Leaves by their names in Z3.
    leaves: FxHashMap<String, (Leaf, Sort)>,
}

impl Operators {
    /// The operators of the context that is entered.
    pub(super) fn new() -> Operators {
        Operators {
            bool_sort: z3::Sort::bool(),
            bit_sorts: Vec::new(),
            array_sorts: FxHashMap::default(),
            float_sorts: FxHashMap::default(),
            modes: [
                RoundingMode::round_nearest_ties_to_even(),
                RoundingMode::round_nearest_ties_to_away(),
                RoundingMode::round_towards_positive(),
                RoundingMode::round_towards_negative(),
                RoundingMode::round_towards_zero(),
            ],
            leaves: FxHashMap::default(),
        }
    }

    /// The leaf with this name in Z3.
    pub(super) fn leaf_named(&self, name: &str) -> Option<(Leaf, Sort)> {
        self.leaves.get(name).copied()
    }

    /// An operator other than those of floats and copies of a constant length; `sort_of` returns the arguments' sorts.
    pub(super) fn plain(
        &mut self,
        c: &Context,
        kind: Kind,
        sort: Sort,
        args: &[&Dynamic],
        sort_of: &dyn Fn(usize) -> Sort,
    ) -> Made {
        match (kind, args) {
            (Kind::Bool(b), _) => Ok(z3::ast::Bool::from_bool(b).into()),
            (Kind::Const(v), _) => self.word(c, sort.width(), v),
            (Kind::Var(v), _) => Ok(self.leaf(Leaf::Var(v), sort)),
            (Kind::Sym(s), _) => Ok(self.leaf(Leaf::Sym(s), sort)),
            (Kind::Addr(o), _) => Ok(self.leaf(Leaf::Addr(o), sort)),
            (Kind::Not, [a]) => c.not(a),
            (Kind::And, [_, _]) => c.and(args),
            (Kind::Or, [_, _]) => c.or(args),
            (Kind::Ite, [p, a, b]) => c.ite(p, a, b),
            (Kind::Eq, [a, b]) => c.eq(a, b),
            (Kind::Bv(op), [a, b]) => match op {
                BvOp::Add => c.bvadd(a, b),
                BvOp::Sub => c.bvsub(a, b),
                BvOp::Mul => c.bvmul(a, b),
                BvOp::Udiv => c.bvudiv(a, b),
                BvOp::Urem => c.bvurem(a, b),
                BvOp::Sdiv => c.bvsdiv(a, b),
                BvOp::Srem => c.bvsrem(a, b),
                BvOp::And => c.bvand(a, b),
                BvOp::Or => c.bvor(a, b),
                BvOp::Xor => c.bvxor(a, b),
                BvOp::Shl => c.bvshl(a, b),
                BvOp::Lshr => c.bvlshr(a, b),
                BvOp::Ashr => c.bvashr(a, b),
            },
            (Kind::Cmp(cmp), [a, b]) => match cmp {
                BvCmp::Ult => c.bvult(a, b),
                BvCmp::Ule => c.bvule(a, b),
                BvCmp::Slt => c.bvslt(a, b),
                BvCmp::Sle => c.bvsle(a, b),
            },
            (Kind::BvNot, [a]) => c.bvnot(a),
            (Kind::BvNeg, [a]) => c.bvneg(a),
            (Kind::Extract { hi, lo }, [a]) => c.extract(hi, lo, a),
            (Kind::Concat, [a, b]) => c.concat(a, b),
            (Kind::Zext, [a]) => c.zero_ext(sort.width() - sort_of(0).width(), a),
            (Kind::Sext, [a]) => c.sign_ext(sort.width() - sort_of(0).width(), a),
            (Kind::Read, [m, at]) => {
                let (index, elem) = array(sort_of(0))?;
                self.read(c, (index, elem), m, at, sort.width() / elem)
            }
            (Kind::Write, [m, at, v]) => {
                let (index, elem) = array(sort)?;
                self.write(c, (index, elem), m, at, v, sort_of(2).width() / elem)
            }
            (Kind::ConstArray, [v]) => c.const_array(self.bits(array(sort)?.0), v),
            (Kind::Copy, &[dst, to, src, from, len]) => self.copy_lambda(c, array(sort)?, [dst, to, src, from, len]),
            _ => Err(arity()),
        }
    }

    fn leaf(&mut self, leaf: Leaf, sort: Sort) -> Dynamic {
        let name = match leaf {
            Leaf::Var(v) => format!("{v}"),
            Leaf::Sym(s) => format!("{s}"),
            Leaf::Addr(o) => format!("{o}"),
        };
        let tree = Dynamic::new_const(name.as_str(), self.sort(sort));
        self.leaves.insert(name, (leaf, sort));
        tree
    }

    fn sort(&mut self, sort: Sort) -> &z3::Sort {
        match sort {
            Sort::Bool => &self.bool_sort,
            Sort::Bv(w) => self.bits(w),
            Sort::Array { index, elem } => self
                .array_sorts
                .entry((index, elem))
                .or_insert_with(|| z3::Sort::array(&z3::Sort::bitvector(index), &z3::Sort::bitvector(elem))),
        }
    }

    fn bits(&mut self, width: u32) -> &z3::Sort {
        let i = width as usize;
        if i >= self.bit_sorts.len() {
            self.bit_sorts.resize(i + 1, None);
        }
        self.bit_sorts[i].get_or_insert_with(|| z3::Sort::bitvector(width))
    }

    /// The sort of numbers of `format`.
    pub(super) fn float_sort(&mut self, format: Format) -> &z3::Sort {
        // Z3 counts the hidden bit of every format, including X87's explicit one.
        let make = || z3::Sort::float(format.exponent_bits(), format.significand_bits());
        self.float_sorts.entry(format).or_insert_with(make)
    }

    pub(super) fn mode(&self, rounding: Rounding) -> &RoundingMode {
        let [nearest_even, nearest_away, up, down, zero] = &self.modes;
        match rounding {
            Rounding::NearestEven => nearest_even,
            Rounding::NearestAway => nearest_away,
            Rounding::Up => up,
            Rounding::Down => down,
            Rounding::Zero => zero,
        }
    }

    fn word(&mut self, c: &Context, width: u32, v: u64) -> Made {
        c.number(v, self.bits(width))
    }

    /// A bit-vector constant.
    pub(super) fn constant(&mut self, c: &Context, v: &Bv) -> Made {
        if let (true, Some(word)) = (v.width() <= 64, v.to_u64()) {
            return self.word(c, v.width(), word);
        }
        let number = BV::from_str(v.width(), &v.to_big().to_string());
        number.map(Dynamic::from).ok_or_else(|| c.error())
    }

    fn offset(&mut self, c: &Context, index: u32, at: &Dynamic, bytes: u64) -> Made {
        if bytes == 0 {
            return Ok(at.clone());
        }
        let k = self.word(c, index, bytes & if index >= 64 { u64::MAX } else { (1 << index) - 1 })?;
        c.bvadd(at, &k)
    }

    fn read(&mut self, c: &Context, (index, elem): (u32, u32), m: &Dynamic, at: &Dynamic, cells: u32) -> Made {
        let mut whole = c.select(m, at)?;
        for i in 1..cells {
            let next = self.offset(c, index, at, u64::from(i * elem / 8))?;
            whole = c.concat(&c.select(m, &next)?, &whole)?;
        }
        Ok(whole)
    }

    fn write(
        &mut self,
        c: &Context,
        (index, elem): (u32, u32),
        m: &Dynamic,
        at: &Dynamic,
        v: &Dynamic,
        cells: u32,
    ) -> Made {
        let mut m = m.clone();
        for i in 0..cells {
            let next = self.offset(c, index, at, u64::from(i * elem / 8))?;
            m = match cells {
                1 => c.store(&m, &next, v)?,
                _ => c.store(&m, &next, &c.extract((i + 1) * elem - 1, i * elem, v)?)?,
            };
        }
        Ok(m)
    }

    /// A copy of `bytes` bytes, cell by cell if there are few.
    pub(super) fn copy_short(&mut self, c: &Context, sort: Sort, args: &[&Dynamic], bytes: u64) -> Made {
        let &[dst, to, src, from, len] = args else { return Err(arity()) };
        let (index, elem) = array(sort)?;
        match bytes / u64::from(elem / 8) {
            0 => Ok(dst.clone()),
            cells if cells <= EXPANDED_CELLS => {
                let v = self.read(c, (index, elem), src, from, cells as u32)?;
                self.write(c, (index, elem), dst, to, &v, cells as u32)
            }
            _ => self.copy_lambda(c, (index, elem), [dst, to, src, from, len]),
        }
    }

    /// A copy of any length as a function of the address.
    fn copy_lambda(&mut self, c: &Context, (index, _): (u32, u32), args: [&Dynamic; 5]) -> Made {
        let [dst, to, src, from, len] = args;
        let i = Dynamic::fresh_const("i", self.bits(index));
        let offset = c.bvsub(&i, to)?;
        let inside = c.bvult(&offset, len)?;
        let copied = c.select(src, &c.bvadd(from, &offset)?)?;
        let kept = c.select(dst, &i)?;
        let cell = c.ite(&inside, &copied, &kept)?;
        Ok(lambda_const(&[&i], &cell).into())
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
