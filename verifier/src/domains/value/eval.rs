//! Evaluation of terms in which some variables are unknown, and what a condition implies about the unknown ones.
//!
//! The evaluation is three-valued: a conjunction with a false part is false whatever the other part is, and a product with zero is zero.
//! A write at an unknown address makes the memory unknown as a whole.
//!
//! Terms on edges are small, so evaluation is plain recursion. Terms that turn out to be large are passed on to `cfa::eval`, which shares
//! subterms but only works with completely known values.

use crate::domains::value::array::KnownArray;
use cfa::bv::{Bv, BvOp};
use cfa::eval::{Evaluation, Value};
use cfa::float::{self, FloatResult};
use cfa::term::{Kind, Leaf, Sort};
use cfa::{Term, Terms, VarId};
use smallvec::SmallVec;

/// A known value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Known {
    /// A truth value (0 or 1) or the bits of a bit-vector of up to 64 bits.
    Word(u64),
    /// A wider bit-vector.
    Wide(Bv),
    /// A memory in which some cells are known.
    Array(KnownArray),
}

impl Known {
    /// The bit-vector `v`.
    pub(super) fn of_bv(v: Bv) -> Known {
        match v.to_u64() {
            Some(w) if v.width() <= 64 => Known::Word(w),
            _ => Known::Wide(v),
        }
    }

    fn of_bool(b: bool) -> Known {
        Known::Word(u64::from(b))
    }

    /// The value as a bit-vector; a truth value is one bit.
    fn bv(&self, sort: Sort) -> Option<Bv> {
        match (self, sort) {
            (Known::Word(w), Sort::Bv(width)) => Some(Bv::new(width, *w)),
            (Known::Word(w), Sort::Bool) => Some(Bv::new(1, *w)),
            (Known::Wide(v), _) => Some(v.clone()),
            _ => None,
        }
    }
}

/// The values that the evaluation reads.
pub(super) trait Valuation {
    /// The value of a variable, if it is known.
    fn value(&self, v: VarId) -> Option<Known>;

    /// The result of reading a variable that is a memory, without copying the memory.
    fn read(&self, v: VarId, address: u64, width: u32) -> Option<Bv>;
}

/// Maximum number of subterms visited before `cfa::eval` takes over.
const SMALL_VISITS: u32 = 2_000;

/// Maximum depth of recursion.
const MAX_DEPTH: u32 = 200;

/// The value of `t`, if it is known.
pub(super) fn eval(terms: &Terms, valuation: &dyn Valuation, t: Term) -> Option<Known> {
    let mut evaluator = Evaluator { terms, valuation, visits: SMALL_VISITS };
    let value = evaluator.eval(t, 0);
    if evaluator.visits > 0 {
        return value;
    }
    let mut leaf = |l: Leaf, sort: Sort| match l {
        Leaf::Var(v) => match valuation.value(v)? {
            Known::Word(w) if sort == Sort::Bool => Some(Value::Bool(w == 1)),
            Known::Word(w) => Some(Value::Bv(Bv::new(sort.width(), w))),
            Known::Wide(v) => Some(Value::Bv(v)),
            Known::Array(a) => a.complete().cloned().map(Value::Array),
        },
        Leaf::Sym(_) | Leaf::Addr(_) => None,
    };
    Some(match Evaluation::new().eval(terms, t, &mut leaf)? {
        Value::Bool(b) => Known::of_bool(b),
        Value::Bv(v) => Known::of_bv(v),
        Value::Array(_) => return None,
    })
}

struct Evaluator<'a> {
    terms: &'a Terms,
    valuation: &'a dyn Valuation,
    /// The number of visits left; zero once the term has turned out to be too large.
    visits: u32,
}

impl Evaluator<'_> {
    fn word(&mut self, t: Term, depth: u32) -> Option<u64> {
        match self.eval(t, depth)? {
            Known::Word(w) => Some(w),
            Known::Wide(v) => v.to_u64(),
            Known::Array(_) => None,
        }
    }

    fn bv(&mut self, t: Term, depth: u32) -> Option<Bv> {
        self.eval(t, depth)?.bv(self.terms.sort(t))
    }

    fn eval(&mut self, t: Term, depth: u32) -> Option<Known> {
        if self.visits == 0 || depth > MAX_DEPTH {
            self.visits = 0;
            return None;
        }
        self.visits -= 1;
        let terms = self.terms;
        let node = terms.node(t);
        let args = &node.args;
        let below = depth + 1;
        Some(match node.kind {
            Kind::Const(w) => Known::Word(w),
            Kind::Bool(b) => Known::of_bool(b),
            Kind::Var(v) => return self.valuation.value(v),
            Kind::BigConst(_) => Known::Wide(terms.as_bv(t)?),
            Kind::Sym(_) | Kind::Addr(_) => return None,
            Kind::Not => Known::Word(1 - self.word(args[0], below)?),
            Kind::And | Kind::Or => {
                let decisive = u64::from(node.kind == Kind::Or);
                let a = self.word(args[0], below);
                if a == Some(decisive) {
                    return a.map(Known::Word);
                }
                let b = self.word(args[1], below);
                if b == Some(decisive) {
                    return b.map(Known::Word);
                }
                Known::Word(a.and(b)?)
            }
            Kind::Ite => match self.word(args[0], below) {
                Some(c) => return self.eval(args[if c == 1 { 1 } else { 2 }], below),
                None => {
                    let a = self.eval(args[1], below)?;
                    return (self.eval(args[2], below)? == a).then_some(a);
                }
            },
            Kind::Eq => Known::of_bool(match (self.eval(args[0], below)?, self.eval(args[1], below)?) {
                // Memories with the same known cells may differ in the unknown ones.
                (Known::Array(a), Known::Array(b)) => a.complete()? == b.complete()?,
                (a, b) => a == b,
            }),
            Kind::Bv(op) => {
                let (a, b) = (self.bv(args[0], below), self.bv(args[1], below));
                match (a, b) {
                    (Some(a), Some(b)) => Known::of_bv(Bv::apply(op, &a, &b)),
                    (Some(z), None) | (None, Some(z)) if matches!(op, BvOp::Mul | BvOp::And) && z.is_zero() => {
                        Known::of_bv(z)
                    }
                    (Some(z), None) | (None, Some(z)) if op == BvOp::Or && z.is_ones() => Known::of_bv(z),
                    _ => return None,
                }
            }
            Kind::Cmp(cmp) => Known::of_bool(Bv::compare(cmp, &self.bv(args[0], below)?, &self.bv(args[1], below)?)),
            Kind::BvNot => Known::of_bv(self.bv(args[0], below)?.not()),
            Kind::BvNeg => Known::of_bv(self.bv(args[0], below)?.neg()),
            Kind::Extract { hi, lo } => Known::of_bv(self.bv(args[0], below)?.extract(hi, lo)),
            Kind::Concat => {
                let high = self.bv(args[0], below)?;
                Known::of_bv(high.concat(&self.bv(args[1], below)?))
            }
            Kind::Zext => Known::of_bv(self.bv(args[0], below)?.zext(node.sort.width())),
            Kind::Sext => Known::of_bv(self.bv(args[0], below)?.sext(node.sort.width())),
            Kind::Float(op, format) => {
                let operands: Option<SmallVec<[Bv; 3]>> = args.iter().map(|&a| self.bv(a, below)).collect();
                let operands = operands?;
                let references: SmallVec<[&Bv; 3]> = operands.iter().collect();
                let width = if let Sort::Bv(w) = node.sort { w } else { 1 };
                match float::apply(op, format, &references, width) {
                    FloatResult::Bits(v) => Known::of_bv(v),
                    FloatResult::Bool(b) => Known::of_bool(b),
                }
            }
            Kind::Read => {
                let (at, width) = (self.word(args[1], below)?, node.sort.width());
                match terms.kind(args[0]) {
                    Kind::Var(m) => Known::of_bv(self.valuation.read(m, at, width)?),
                    _ => Known::of_bv(self.array(args[0], below)?.read(at, width)?),
                }
            }
            Kind::Write | Kind::ConstArray | Kind::Copy => Known::Array(self.array(t, depth)?),
        })
    }

    /// The value of a memory term; parts about which nothing is known are unknown cells.
    fn array(&mut self, t: Term, depth: u32) -> Option<KnownArray> {
        let terms = self.terms;
        let node = terms.node(t);
        let Sort::Array { index, elem } = node.sort else { return None };
        let args = &node.args;
        let below = depth + 1;
        if depth > MAX_DEPTH {
            self.visits = 0;
        }
        if self.visits == 0 {
            return None;
        }
        let unknown = || KnownArray::unknown(index, elem);
        Some(match node.kind {
            Kind::Write => {
                let mut array = self.array(args[0], below)?;
                let Some(at) = self.word(args[1], below) else { return Some(unknown()) };
                let value = self.bv(args[2], below);
                array.write(at, terms.width(args[2]), value.as_ref());
                array
            }
            Kind::Copy => {
                let mut array = self.array(args[0], below)?;
                let src = self.array(args[2], below)?;
                let to = self.word(args[1], below);
                let (from, len) = (self.word(args[3], below), self.word(args[4], below));
                match (to, from, len) {
                    (Some(to), Some(from), Some(len)) => array.copy(to, &src, from, len),
                    // The source address does not matter if nothing is known about the source.
                    (Some(to), None, Some(len)) => array.copy(to, &unknown(), 0, len),
                    (_, _, Some(0)) => {}
                    _ => return Some(unknown()),
                }
                array
            }
            Kind::ConstArray => match self.bv(args[0], below) {
                Some(v) => KnownArray::constant(index, v),
                None => unknown(),
            },
            Kind::Ite => match self.word(args[0], below) {
                Some(c) => self.array(args[if c == 1 { 1 } else { 2 }], below)?,
                None => {
                    let (a, b) = (self.array(args[1], below)?, self.array(args[2], below)?);
                    if a == b { a } else { unknown() }
                }
            },
            _ => match self.eval(t, below) {
                Some(Known::Array(a)) => a,
                _ => unknown(),
            },
        })
    }
}

/// The values that unknown variables must have if the truth value of `t` is `truth`, as pairs pushed to `found`.
pub(super) fn implied(terms: &Terms, valuation: &dyn Valuation, t: Term, truth: bool, found: &mut Vec<(VarId, Known)>) {
    let args = terms.args(t);
    match terms.kind(t) {
        Kind::Var(v) => found.push((v, Known::of_bool(truth))),
        Kind::Not => implied(terms, valuation, args[0], !truth, found),
        Kind::And | Kind::Or if truth == (terms.kind(t) == Kind::And) => {
            implied(terms, valuation, args[0], truth, found);
            implied(terms, valuation, args[1], truth, found);
        }
        Kind::Eq => {
            for (x, y) in [(args[0], args[1]), (args[1], args[0])] {
                match eval(terms, valuation, y).and_then(|value| value.bv(terms.sort(y))) {
                    Some(value) if truth => solved(terms, valuation, x, value, found),
                    // A bit that does not equal one value equals the other.
                    Some(value) if value.width() == 1 => {
                        solved(terms, valuation, x, Bv::new(1, u64::from(value.is_zero())), found);
                    }
                    _ => {}
                }
            }
        }
        _ => {}
    }
}

/// The value that an unknown variable must have if that of `t` is `value`, pushed to `found`: the operators above it have inverses.
fn solved(terms: &Terms, valuation: &dyn Valuation, t: Term, value: Bv, found: &mut Vec<(VarId, Known)>) {
    let (mut t, mut value) = (t, value);
    loop {
        let args = terms.args(t);
        let known = |t: Term| eval(terms, valuation, t).and_then(|value| value.bv(terms.sort(t)));
        (t, value) = match terms.kind(t) {
            Kind::Var(v) if terms.sort(t) == Sort::Bool => return found.push((v, Known::of_bool(!value.is_zero()))),
            Kind::Var(v) => return found.push((v, Known::of_bv(value))),
            _ if terms.sort(t) == Sort::Bool => return implied(terms, valuation, t, !value.is_zero(), found),
            Kind::Bv(op @ (BvOp::Add | BvOp::Xor | BvOp::Sub)) => {
                let inverse = if op == BvOp::Xor { BvOp::Xor } else { BvOp::Sub };
                match (known(args[0]), known(args[1])) {
                    (None, Some(b)) if op == BvOp::Sub => (args[0], Bv::apply(BvOp::Add, &value, &b)),
                    (None, Some(b)) => (args[0], Bv::apply(inverse, &value, &b)),
                    (Some(a), None) if op == BvOp::Sub => (args[1], Bv::apply(BvOp::Sub, &a, &value)),
                    (Some(a), None) => (args[1], Bv::apply(inverse, &value, &a)),
                    _ => return,
                }
            }
            Kind::BvNot => (args[0], value.not()),
            Kind::BvNeg => (args[0], value.neg()),
            // If the bits that were added do not fit, then the condition is false, and what follows from it does not matter.
            Kind::Zext | Kind::Sext => (args[0], value.extract(terms.width(args[0]) - 1, 0)),
            Kind::Concat => {
                let low = terms.width(args[1]);
                solved(terms, valuation, args[0], value.extract(value.width() - 1, low), found);
                (args[1], value.extract(low - 1, 0))
            }
            Kind::Ite => match eval(terms, valuation, args[0]) {
                Some(Known::Word(c)) => (args[if c == 1 { 1 } else { 2 }], value),
                _ => return,
            },
            _ => return,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfa::Id;
    use cfa::float::Format;
    use kerf_testing::Random;
    use kerf_testing::recipe::{Menu, constant, random};

    /// A valuation in which a variable is unknown if its bit in `unknown` is set.
    struct Half<'a> {
        values: &'a [Value],
        unknown: u64,
    }

    impl Valuation for Half<'_> {
        fn value(&self, v: VarId) -> Option<Known> {
            if (self.unknown >> (v.0 % 64)) & 1 == 1 {
                return None;
            }
            Some(match &self.values[v.0 as usize] {
                Value::Bool(b) => Known::of_bool(*b),
                Value::Bv(b) => Known::of_bv(b.clone()),
                Value::Array(a) => {
                    let mut array = KnownArray::constant(a.index_bits(), a.background()[0].1.clone());
                    for (at, cell) in a.cells() {
                        array.write(at, a.elem_bits(), Some(&cell));
                    }
                    Known::Array(array)
                }
            })
        }

        fn read(&self, v: VarId, address: u64, width: u32) -> Option<Bv> {
            match self.value(v)? {
                Known::Array(a) => a.read(address, width),
                _ => None,
            }
        }
    }

    /// The value computed for a term is its real value; if all leaves are known, a value is computed.
    #[test]
    fn agrees_with_concrete_evaluation() {
        let floats = [Menu::Floats(Format::Double), Menu::MemoryAndFloats(Format::Half)];
        let menus = [Menu::Bits, Menu::Memory, floats[0], floats[1]];
        for seed in 0..20_000u64 {
            let recipe = random(seed, menus[seed as usize % menus.len()], 20);
            let Some(expected) = recipe.values() else { continue };
            let mut terms = Terms::new();
            let values: Vec<Value> = recipe.ingredients.iter().map(|i| i.value.clone()).collect();
            let mut next = 0;
            let built = recipe.build(&mut terms, |terms, i| {
                let v = VarId(next);
                next += 1;
                if i.constant { constant(terms, &i.value) } else { terms.var(v, i.value.sort()) }
            });
            let unknown = if seed % 3 == 0 { 0 } else { Random::new(seed).word() & Random::new(seed ^ 77).word() };
            let valuation = Half { values: &values, unknown };
            for (t, value) in built.iter().zip(&expected) {
                let known = eval(&terms, &valuation, *t);
                match (&known, value) {
                    (None, Value::Array(_)) => {}
                    (None, _) => assert!(unknown != 0, "seed {seed}: {value} is not known"),
                    (Some(Known::Word(w)), Value::Bool(b)) => assert_eq!(*w == 1, *b, "seed {seed}"),
                    (Some(Known::Word(w)), Value::Bv(v)) => assert_eq!(Some(*w), v.to_u64(), "seed {seed}"),
                    (Some(Known::Wide(w)), Value::Bv(v)) => assert_eq!(w, v, "seed {seed}"),
                    (Some(Known::Array(a)), Value::Array(b)) => {
                        for (at, cell) in b.cells() {
                            let known = a.read(at, b.elem_bits());
                            assert!(known.is_none_or(|k| k == cell), "seed {seed}");
                        }
                    }
                    other => panic!("seed {seed}: {other:?}"),
                }
            }
        }
    }

    /// What follows from a condition holds in each state in which it does.
    #[test]
    fn implied_values_are_those_of_states() {
        let mut count = 0;
        for seed in 0..3000 {
            let mut random = Random::new(seed);
            let mut terms = Terms::new();
            let sorts = [Sort::Bv(8), Sort::Bv(8), Sort::Bv(1), Sort::Bv(16), Sort::Bool];
            let vars: Vec<Term> = sorts.iter().enumerate().map(|(i, s)| terms.var(VarId(i as u32), *s)).collect();
            let values: Vec<Value> = sorts
                .iter()
                .map(|sort| match sort {
                    Sort::Bool => Value::Bool(random.one_in(2u64)),
                    _ => Value::Bv(Bv::from_i64(sort.width(), random.below(5i64) - 2)),
                })
                .collect();
            let mut leaf = |l: Leaf, _: Sort| match l {
                Leaf::Var(v) => Some(values[v.index()].clone()),
                _ => None,
            };
            // Terms of eight bits, of variables and constants.
            let mut pool = vec![vars[0], vars[1]];
            for _ in 0..4 {
                let [a, b] = [0, 1].map(|_| random.pick(&pool));
                let t = match random.below(7u64) {
                    0 => terms.add(a, b),
                    1 => terms.sub(a, b),
                    2 => terms.bv_op(BvOp::Xor, a, b),
                    3 => terms.bv_not(a),
                    4 => terms.bv_neg(a),
                    5 => terms.ite(vars[4], a, b),
                    _ => terms.int(8, random.below(4u64)),
                };
                pool.push(t);
            }
            let last = pool[pool.len() - 1];
            let wide = match random.below(3u64) {
                0 => terms.zext(16, last),
                1 => terms.sext(16, last),
                _ => terms.concat(last, pool[0]),
            };
            let bit = terms.nonzero(vars[2]);
            let (eight, sixteen) = (terms.eq(last, pool[1]), terms.eq(wide, vars[3]));
            let some = if random.one_in(2u64) { eight } else { sixteen };
            let flag = terms.eq(vars[4], some);
            let cond = if random.one_in(2u64) { terms.and(some, bit) } else { flag };
            let Some(Value::Bool(truth)) = Evaluation::new().eval(&terms, cond, &mut leaf) else {
                panic!("seed {seed}")
            };
            let mut found = Vec::new();
            let valuation = Half { values: &values, unknown: random.word() };
            implied(&terms, &valuation, cond, truth, &mut found);
            for (v, known) in found {
                count += 1;
                let expected = match &values[v.index()] {
                    Value::Bool(b) => Known::of_bool(*b),
                    Value::Bv(b) => Known::of_bv(b.clone()),
                    Value::Array(_) => unreachable!("no memories here"),
                };
                assert_eq!(known, expected, "seed {seed}: {v}");
            }
        }
        assert!(count > 500, "{count}");
    }

    #[test]
    fn conditions_fix_variables() {
        let mut terms = Terms::new();
        let values = [Value::Bv(Bv::new(8, 5)), Value::Bv(Bv::new(8, 0)), Value::Bv(Bv::new(1, 0))];
        let [x, y] = [0, 1].map(|v| terms.var(VarId(v), Sort::Bv(8)));
        let bit = terms.var(VarId(2), Sort::Bv(1));
        let mut found = Vec::new();
        // y and the bit are unknown: x = y and bit != 0.
        let valuation = Half { values: &values, unknown: 0b110 };
        let same = terms.eq(x, y);
        let set = terms.nonzero(bit);
        let both = terms.and(same, set);
        assert_eq!(eval(&terms, &valuation, both), None);
        implied(&terms, &valuation, both, true, &mut found);
        found.sort_by_key(|(v, _)| *v);
        assert_eq!(found, [(VarId(1), Known::Word(5)), (VarId(2), Known::Word(1))]);
    }
}
