//! Evaluation of terms over concrete values: the concrete semantics of every operator. Constructors of terms fold constants by the
//! same functions (`bv`, `float`).
//!
//! Evaluation is lazy as in C: only the selected branch of a choice is evaluated, and of a conjunction or disjunction only
//! the operands that decide it, so that leaves without a value matter only where they are used. Small terms (those on edges)
//! are evaluated by plain recursion, large ones (path formulas) by a worklist with memoization.

mod array;

pub use array::ArrayValue;

use crate::bv::Bv;
use crate::float::{self, FloatResult};
use crate::term::{Kind, Leaf, Sort, Term, Terms};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::fmt;

/// A concrete value of some sort.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bit-vector.
    Bv(Bv),
    /// A memory.
    Array(ArrayValue),
}

impl Value {
    /// The value of `sort` with all bits zero.
    pub fn zero(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Bv(w) => Value::Bv(Bv::new(w, 0)),
            Sort::Array { index, elem } => Value::Array(ArrayValue::constant(index, Bv::new(elem, 0))),
        }
    }

    /// The value's sort.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Bv(v) => Sort::Bv(v.width()),
            Value::Array(a) => Sort::Array { index: a.index_bits(), elem: a.elem_bits() },
        }
    }

    /// The truth value of a Bool.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// The bits of a bit-vector.
    pub fn as_bv(&self) -> Option<&Bv> {
        match self {
            Value::Bv(v) => Some(v),
            _ => None,
        }
    }

    /// The value of a memory.
    pub fn as_array(&self) -> Option<&ArrayValue> {
        match self {
            Value::Array(a) => Some(a),
            _ => None,
        }
    }

    /// The bits of a bit-vector as an unsigned word, if the value fits in 64 bits.
    pub fn to_u64(&self) -> Option<u64> {
        self.as_bv().and_then(Bv::to_u64)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(b) => write!(f, "{b}"),
            Value::Bv(v) => write!(f, "{v}"),
            Value::Array(a) => write!(f, "{a}"),
        }
    }
}

/// Maximum number of subterms that are visited by recursion (shared ones count each time); larger terms use the worklist.
const SMALL_VISITS: u32 = 200;

/// The value of `t`, where `leaf` returns the values of leaves.
///
/// `None` if a leaf that matters has no value, or if a float conversion involves integers of more than 128 bits. `leaf` may
/// be called more than once for the same leaf; its values must have the leaves' sorts.
pub fn eval(terms: &Terms, t: Term, leaf: &mut dyn FnMut(Leaf) -> Option<Value>) -> Option<Value> {
    let mut visits = SMALL_VISITS;
    match eval_small(terms, t, leaf, &mut visits) {
        Small::Done(v) => v,
        Small::TooLarge => Evaluation::new().eval(terms, t, &mut |l, _| leaf(l)),
    }
}

/// The value of the Bool `t`, as by [`eval`].
pub fn eval_bool(terms: &Terms, t: Term, leaf: &mut dyn FnMut(Leaf) -> Option<Value>) -> Option<bool> {
    eval(terms, t, leaf).and_then(|v| v.as_bool())
}

enum Small {
    Done(Option<Value>),
    TooLarge,
}

fn eval_small(terms: &Terms, t: Term, leaf: &mut dyn FnMut(Leaf) -> Option<Value>, visits: &mut u32) -> Small {
    if *visits == 0 {
        return Small::TooLarge;
    }
    *visits -= 1;
    let node = terms.node(t);
    macro_rules! sub {
        ($i:expr) => {
            match eval_small(terms, node.args[$i], leaf, visits) {
                Small::Done(Some(v)) => v,
                other => return other,
            }
        };
    }
    if let Some(v) = leaf_or_constant(terms, t, node.kind, &mut |l, _| leaf(l)) {
        return Small::Done(v);
    }
    match node.kind {
        Kind::Ite => match sub!(0) {
            Value::Bool(c) => eval_small(terms, node.args[if c { 1 } else { 2 }], leaf, visits),
            _ => Small::Done(None),
        },
        Kind::And | Kind::Or => match sub!(0) {
            Value::Bool(c) if c == (node.kind == Kind::Or) => Small::Done(Some(Value::Bool(c))),
            _ => eval_small(terms, node.args[1], leaf, visits),
        },
        _ => {
            let mut args: SmallVec<[Value; 3]> = SmallVec::new();
            for i in 0..node.args.len() {
                args.push(sub!(i));
            }
            Small::Done(apply(node.kind, args, node.sort))
        }
    }
}

/// The value of a leaf or constant; `None` for any other kind of term.
#[inline]
fn leaf_or_constant(
    terms: &Terms,
    t: Term,
    kind: Kind,
    leaf: &mut dyn FnMut(Leaf, Sort) -> Option<Value>,
) -> Option<Option<Value>> {
    let mut leaf = |l| leaf(l, terms.sort(t));
    Some(match kind {
        Kind::Const(_) | Kind::BigConst(_) => terms.as_bv(t).map(Value::Bv),
        Kind::Bool(b) => Some(Value::Bool(b)),
        Kind::Var(v) => leaf(Leaf::Var(v)),
        Kind::Sym(s) => leaf(Leaf::Sym(s)),
        Kind::Addr(o) => leaf(Leaf::Addr(o)),
        _ => return None,
    })
}

/// A memo for evaluating several terms of any depth over the same values of leaves.
#[derive(Clone, Default, Debug)]
pub struct Evaluation {
    done: FxHashMap<Term, Option<Value>>,
}

impl Evaluation {
    /// An empty memo.
    pub fn new() -> Evaluation {
        Evaluation::default()
    }

    /// The number of terms in the memo.
    pub fn len(&self) -> usize {
        self.done.len()
    }

    /// Whether the memo is empty.
    pub fn is_empty(&self) -> bool {
        self.done.is_empty()
    }

    /// Like the function [`eval`], with the sorts of leaves. Every call must give the same values to leaves.
    pub fn eval(&mut self, terms: &Terms, t: Term, leaf: &mut dyn FnMut(Leaf, Sort) -> Option<Value>) -> Option<Value> {
        if let Some(v) = self.done.get(&t) {
            return v.clone();
        }
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            if self.done.contains_key(&top) {
                stack.pop();
                continue;
            }
            let node = terms.node(top);
            let value = match leaf_or_constant(terms, top, node.kind, leaf) {
                Some(v) => v,
                None => match self.demand(node.kind, &node.args) {
                    Demand::Value(v) => v,
                    Demand::Arg(a) => {
                        stack.push(a);
                        continue;
                    }
                    Demand::Args(args) => apply(node.kind, args, node.sort),
                    Demand::All => {
                        let missing = node.args.iter().filter(|a| !self.done.contains_key(a));
                        stack.extend(missing);
                        continue;
                    }
                },
            };
            self.done.insert(top, value);
            stack.pop();
        }
        self.done[&t].clone()
    }

    /// What is needed next to compute the value of `kind(args)`.
    fn demand(&self, kind: Kind, args: &[Term]) -> Demand {
        let known = |i: usize| self.done.get(&args[i]);
        let decided = |i: usize| known(i).map_or(Demand::Arg(args[i]), |v| Demand::Value(v.clone()));
        match kind {
            Kind::Ite => match known(0) {
                None => Demand::Arg(args[0]),
                Some(Some(Value::Bool(c))) => decided(if *c { 1 } else { 2 }),
                Some(_) => Demand::Value(None),
            },
            Kind::And | Kind::Or => match known(0) {
                None => Demand::Arg(args[0]),
                Some(Some(Value::Bool(c))) if *c != (kind == Kind::Or) => decided(1),
                Some(v) => Demand::Value(v.clone()),
            },
            _ => {
                let mut values = SmallVec::new();
                for i in 0..args.len() {
                    match known(i) {
                        None => return Demand::All,
                        Some(None) => return Demand::Value(None),
                        Some(Some(v)) => values.push(v.clone()),
                    }
                }
                Demand::Args(values)
            }
        }
    }
}

enum Demand {
    /// The value is known (`None`: it is known to be missing).
    Value(Option<Value>),
    /// This argument is needed first.
    Arg(Term),
    /// All arguments are needed first.
    All,
    /// The arguments, all known.
    Args(SmallVec<[Value; 3]>),
}

/// The value of a strict operator on `args`. `None` if an argument has the wrong sort or a float operation cannot be
/// computed.
pub fn apply(kind: Kind, mut args: SmallVec<[Value; 3]>, sort: Sort) -> Option<Value> {
    use Value::{Array, Bool, Bv as Bits};
    Some(match (kind, args.as_mut_slice()) {
        (Kind::Bv(op), [Bits(a), Bits(b)]) => Bits(Bv::apply(op, a, b)),
        (Kind::Cmp(cmp), [Bits(a), Bits(b)]) => Bool(Bv::compare(cmp, a, b)),
        (Kind::Eq, [a, b]) => Bool(a == b),
        (Kind::Not, [Bool(a)]) => Bool(!*a),
        (Kind::And, [Bool(a), Bool(b)]) => Bool(*a && *b),
        (Kind::Or, [Bool(a), Bool(b)]) => Bool(*a || *b),
        (Kind::Ite, [Bool(c), a, b]) => std::mem::replace(if *c { a } else { b }, Bool(false)),
        (Kind::BvNot, [Bits(a)]) => Bits(a.not()),
        (Kind::BvNeg, [Bits(a)]) => Bits(a.neg()),
        (Kind::Extract { hi, lo }, [Bits(a)]) => Bits(a.extract(hi, lo)),
        (Kind::Concat, [Bits(a), Bits(b)]) => Bits(a.concat(b)),
        (Kind::Zext, [Bits(a)]) => Bits(a.zext(sort.width())),
        (Kind::Sext, [Bits(a)]) => Bits(a.sext(sort.width())),
        (Kind::Read, [Array(m), Bits(at)]) => Bits(m.read(at.to_u64()?, sort.width())),
        (Kind::Write, [Array(m), Bits(at), Bits(v)]) => {
            m.write(at.to_u64()?, v);
            args.swap_remove(0)
        }
        (Kind::ConstArray, [Bits(v)]) => match sort {
            Sort::Array { index, .. } => Array(ArrayValue::constant(index, v.clone())),
            _ => return None,
        },
        (Kind::Copy, [Array(dst), Bits(to), Array(src), Bits(from), Bits(len)]) => {
            dst.copy(to.to_u64()?, src, from.to_u64()?, len.to_u64()?);
            args.swap_remove(0)
        }
        (Kind::Float(op, format), values) => {
            let operands: Option<SmallVec<[&Bv; 3]>> = values.iter().map(Value::as_bv).collect();
            let width = if let Sort::Bv(w) = sort { w } else { 1 };
            match float::apply(op, format, &operands?, width) {
                FloatResult::Bits(v) => Bits(v),
                FloatResult::Bool(b) => Bool(b),
            }
        }
        _ => return None,
    })
}
