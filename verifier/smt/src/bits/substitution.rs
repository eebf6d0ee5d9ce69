//! Substitution of leaves by equalities that define them: the leaf is replaced by what it equals, which eliminates both the
//! leaf and the equality.
//!
//! This is the most important step of word-level preprocessing (Ganesh, Dill: A decision procedure for bit-vectors and
//! arrays, CAV 2007): the circuits of both sides become the same circuit. An equality is solved for one of its leaves by
//! undoing additions, complements, exclusive ors and multiplications by odd constants. If a leaf is bounded from above, its
//! high bits are known to be zero.

use super::circuits::{self, Word};
use super::conjuncts::Conjunct;
use super::graph::{Graph, Lit};
use cfa::bv::{Bv, BvCmp, BvOp};
use cfa::eval::Value;
use cfa::term::Kind;
use cfa::{Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Maximum number of terms examined, in total, for occurrences of leaves; after that, no further equality becomes a definition.
const OCCURS_BUDGET: usize = 200_000;

/// Maximum number of operators undone in one equality.
const DEPTH: usize = 64;

/// An operator that is undone: what becomes of the other side `v`.
#[derive(Clone, PartialEq, Debug)]
enum Undo {
    /// `v - t`
    Minus(Term),
    /// `v + t`
    Plus(Term),
    /// `t - v`
    From(Term),
    /// `v ^ t`
    Xor(Term),
    /// `v * k`
    Times(Bv),
    /// `-v`
    Neg,
    /// `!v`, of bit-vectors and of Bool.
    Not,
}

/// The definition of a leaf.
#[derive(Clone, Debug)]
pub(crate) struct Definition {
    /// The leaf.
    pub(crate) leaf: Term,
    from: Origin,
    undo: Vec<Undo>,
    /// The assumption that it comes from; `None` for an assertion.
    pub(crate) source: Option<usize>,
}

#[derive(Clone, PartialEq, Debug)]
enum Origin {
    Term(Term),
    Constant(Value),
}

impl Definition {
    /// The terms from which the leaf's value is computed.
    pub(crate) fn terms(&self) -> impl Iterator<Item = Term> + '_ {
        let from = match self.from {
            Origin::Term(t) => Some(t),
            Origin::Constant(_) => None,
        };
        let others = self.undo.iter().filter_map(|u| match u {
            Undo::Minus(t) | Undo::Plus(t) | Undo::From(t) | Undo::Xor(t) => Some(*t),
            _ => None,
        });
        from.into_iter().chain(others)
    }

    /// The memory by which the leaf is replaced, if it is one.
    pub(crate) fn memory(&self) -> Option<Term> {
        match self.from {
            Origin::Term(t) => Some(t),
            Origin::Constant(_) => None,
        }
    }

    /// The leaf's circuit, given those of terms by `word`.
    pub(crate) fn circuit<'a>(&self, g: &mut Graph, word: impl Fn(Term) -> &'a [Lit]) -> Word {
        let mut v = match &self.from {
            Origin::Term(t) => word(*t).to_vec(),
            Origin::Constant(Value::Bv(v)) => circuits::constant(v),
            Origin::Constant(v) => vec![Lit::constant(v.as_bool() == Some(true))],
        };
        for u in &self.undo {
            v = match u {
                Undo::Minus(t) => circuits::sub(g, &v, word(*t)),
                Undo::Plus(t) => circuits::add(g, &v, word(*t)),
                Undo::From(t) => circuits::sub(g, word(*t), &v),
                Undo::Xor(t) => circuits::binary(g, BvOp::Xor, &v, word(*t)),
                Undo::Times(k) => circuits::binary(g, BvOp::Mul, &v, &circuits::constant(k)),
                Undo::Neg => circuits::neg(g, &v),
                Undo::Not => circuits::not(&v),
            };
        }
        v
    }

    /// The leaf's value, given those of terms.
    pub(crate) fn value(&self, mut of: impl FnMut(Term) -> Option<Value>) -> Option<Value> {
        let mut value = match &self.from {
            Origin::Term(t) => of(*t)?,
            Origin::Constant(v) => v.clone(),
        };
        for u in &self.undo {
            let mut apply = |op, t: Term, swapped: bool| {
                let (other, v) = (of(t)?, value.as_bv()?.clone());
                let other = other.as_bv()?;
                let (a, b) = if swapped { (other, &v) } else { (&v, other) };
                Some(Value::Bv(Bv::apply(op, a, b)))
            };
            value = match u {
                Undo::Minus(t) => apply(BvOp::Sub, *t, false)?,
                Undo::Plus(t) => apply(BvOp::Add, *t, false)?,
                Undo::From(t) => apply(BvOp::Sub, *t, true)?,
                Undo::Xor(t) => apply(BvOp::Xor, *t, false)?,
                Undo::Times(k) => Value::Bv(Bv::apply(BvOp::Mul, value.as_bv()?, k)),
                Undo::Neg => Value::Bv(value.as_bv()?.neg()),
                Undo::Not => match value {
                    Value::Bool(b) => Value::Bool(!b),
                    v => Value::Bv(v.as_bv()?.not()),
                },
            };
        }
        Some(value)
    }
}

/// Definitions of leaves, at most one for each, without cyclic dependences.
#[derive(Default)]
pub(crate) struct Substitution {
    /// The definitions by leaf.
    pub(crate) of: FxHashMap<Term, Definition>,
    /// Leaves that must not get a definition.
    switches: Arc<FxHashSet<Term>>,
    bounds: FxHashMap<Term, Bounds>,
    looked_at: usize,
}

/// What is known about a leaf without a definition.
#[derive(Clone, Default, Debug)]
struct Bounds {
    /// The greatest unsigned value.
    most: Option<Bv>,
    /// The greatest signed value, if that is not negative.
    most_signed: Option<Bv>,
    /// Whether it is not negative.
    positive: bool,
    /// The assumptions that these come from.
    sources: Vec<usize>,
}

impl Bounds {
    /// Number of low bits that may be set.
    fn bits(&self) -> Option<u32> {
        let signed = self.most_signed.as_ref().filter(|_| self.positive);
        [self.most.as_ref(), signed].into_iter().flatten().map(|v| v.to_big().bits() as u32).min()
    }
}

fn lower(bound: &mut Option<Bv>, to: Bv) {
    if bound.as_ref().is_none_or(|old| Bv::compare(BvCmp::Ult, &to, old)) {
        *bound = Some(to);
    }
}

impl Substitution {
    /// Takes definitions from `conjuncts`, except for leaves in `switches`; returns the conjuncts that are still needed.
    pub(crate) fn find(
        terms: &Terms,
        conjuncts: Vec<Conjunct>,
        switches: &Arc<FxHashSet<Term>>,
    ) -> (Substitution, Vec<Conjunct>) {
        let mut found = Substitution { switches: switches.clone(), ..Substitution::default() };
        let rest: Vec<Conjunct> = conjuncts.into_iter().filter(|c| !found.take(terms, c)).collect();
        for c in &rest {
            found.bound(terms, c);
        }
        found.bounds.retain(|_, b| b.bits().is_some());
        (found, rest)
    }

    /// Whether circuits are the same under both substitutions.
    pub(crate) fn same(&self, other: &Substitution) -> bool {
        let defined = |t: &Term, d: &Definition| other.of.get(t).is_some_and(|e| d.from == e.from && d.undo == e.undo);
        self.of.len() == other.of.len()
            && self.bounds.len() == other.bounds.len()
            && self.of.iter().all(|(t, d)| defined(t, d))
            && self.bounds.iter().all(|(t, b)| other.bounds.get(t).is_some_and(|c| b.bits() == c.bits()))
    }

    /// Number of low bits of a leaf that may be set.
    pub(crate) fn bits(&self, leaf: Term) -> Option<u32> {
        self.bounds.get(&leaf).and_then(Bounds::bits)
    }

    /// Learns bounds of a leaf from `c`, if it compares one with a constant.
    fn bound(&mut self, terms: &Terms, c: &Conjunct) {
        let Kind::Cmp(cmp) = terms.kind(c.term) else { return };
        let [a, b] = [terms.args(c.term)[0], terms.args(c.term)[1]];
        // The negation of a comparison is the other comparison with swapped operands.
        let (a, b) = if c.positive { (a, b) } else { (b, a) };
        let strict = matches!(cmp, BvCmp::Ult | BvCmp::Slt) == c.positive;
        let signed = matches!(cmp, BvCmp::Slt | BvCmp::Sle);
        let one = Bv::new(terms.width(a), 1);
        let free = |t: Term| is_leaf(terms, t) && !self.of.contains_key(&t);
        let leaf = match (terms.as_bv(a), terms.as_bv(b)) {
            (None, Some(k)) if free(a) => {
                // a < k, or a <= k; folding leaves no comparison with the least value.
                let most = if strict { Bv::apply(BvOp::Sub, &k, &one) } else { k };
                let bounds = self.bounds.entry(a).or_default();
                if !signed {
                    lower(&mut bounds.most, most);
                } else if !most.sign() {
                    lower(&mut bounds.most_signed, most);
                }
                a
            }
            (Some(k), None) if signed && free(b) && (!k.sign() || (strict && k.is_ones())) => {
                self.bounds.entry(b).or_default().positive = true;
                b
            }
            _ => return,
        };
        self.bounds.entry(leaf).or_default().sources.extend(c.source);
    }

    /// Makes a definition of `c`, if possible; returns whether the definition then replaces `c`.
    fn take(&mut self, terms: &Terms, c: &Conjunct) -> bool {
        let truth = Origin::Constant(Value::Bool(c.positive));
        if is_leaf(terms, c.term) {
            return self.define(terms, Definition { leaf: c.term, from: truth, undo: Vec::new(), source: c.source });
        }
        if terms.kind(c.term) != Kind::Eq {
            return false;
        }
        let [a, b] = [terms.args(c.term)[0], terms.args(c.term)[1]];
        // Two values of one bit are different if one is the complement of the other.
        let undo = match (c.positive, terms.sort(a)) {
            (true, _) => Vec::new(),
            (false, Sort::Bool | Sort::Bv(1)) => vec![Undo::Not],
            _ => return false,
        };
        // A leaf alone on its side is the easiest one to replace.
        let (a, b) = if is_leaf(terms, b) { (b, a) } else { (a, b) };
        self.solve(terms, a, b, &undo, c.source) || self.solve(terms, b, a, &undo, c.source)
    }

    /// Solves `side = other` for a leaf of `side`, after `undo`; returns whether it can be solved.
    fn solve(&mut self, terms: &Terms, side: Term, other: Term, undo: &[Undo], source: Option<usize>) -> bool {
        let origin = match terms.as_bv(other) {
            Some(v) => Origin::Constant(Value::Bv(v)),
            None => Origin::Term(other),
        };
        let mut open = vec![(side, undo.to_vec())];
        while let Some((t, undo)) = open.pop() {
            if is_leaf(terms, t) {
                if self.define(terms, Definition { leaf: t, from: origin.clone(), undo, source }) {
                    return true;
                }
                continue;
            }
            if undo.len() >= DEPTH {
                continue;
            }
            let args = terms.args(t);
            let mut push = |t: Term, u: Undo| {
                let mut undo = undo.clone();
                undo.push(u);
                open.push((t, undo));
            };
            match terms.kind(t) {
                Kind::Bv(BvOp::Add) => {
                    push(args[1], Undo::Minus(args[0]));
                    push(args[0], Undo::Minus(args[1]));
                }
                Kind::Bv(BvOp::Sub) => {
                    push(args[1], Undo::From(args[0]));
                    push(args[0], Undo::Plus(args[1]));
                }
                Kind::Bv(BvOp::Xor) => {
                    push(args[1], Undo::Xor(args[0]));
                    push(args[0], Undo::Xor(args[1]));
                }
                Kind::Bv(BvOp::Mul) => {
                    if let Some(inverse) = terms.as_bv(args[1]).and_then(|k| inverse(&k)) {
                        push(args[0], Undo::Times(inverse));
                    }
                }
                Kind::BvNeg => push(args[0], Undo::Neg),
                Kind::BvNot | Kind::Not => push(args[0], Undo::Not),
                _ => {}
            }
        }
        false
    }

    /// Adds a definition, unless its leaf has one, must not have one, or would depend on itself.
    fn define(&mut self, terms: &Terms, d: Definition) -> bool {
        if self.of.contains_key(&d.leaf) || self.switches.contains(&d.leaf) || self.depends(terms, &d) {
            return false;
        }
        self.of.insert(d.leaf, d);
        true
    }

    /// Whether `d.leaf` occurs in its own definition; `true` if that takes too long to find out.
    fn depends(&mut self, terms: &Terms, d: &Definition) -> bool {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut stack: Vec<Term> = d.terms().collect();
        while let Some(t) = stack.pop() {
            if t == d.leaf {
                return true;
            }
            if !seen.insert(t) {
                continue;
            }
            self.looked_at += 1;
            if self.looked_at > OCCURS_BUDGET {
                return true;
            }
            match self.of.get(&t) {
                Some(other) => stack.extend(other.terms()),
                None => stack.extend(terms.args(t)),
            }
        }
        false
    }

    /// Leaves with definitions, each after those on which it depends.
    pub(crate) fn order(&self, terms: &Terms) -> Vec<Term> {
        let mut done: FxHashSet<Term> = FxHashSet::default();
        let mut order = Vec::new();
        let mut leaves: Vec<Term> = self.of.keys().copied().collect();
        leaves.sort_unstable();
        let mut stack: Vec<(Term, bool)> = leaves.into_iter().map(|t| (t, false)).collect();
        while let Some((t, finished)) = stack.pop() {
            if finished {
                order.push(t);
            } else if done.insert(t) {
                match self.of.get(&t) {
                    Some(d) => {
                        stack.push((t, true));
                        stack.extend(d.terms().map(|t| (t, false)));
                    }
                    None => stack.extend(terms.args(t).iter().map(|&t| (t, false))),
                }
            }
        }
        order
    }

    /// The sources of the definitions and bounds on which `roots` depend.
    pub(crate) fn sources(&self, terms: &Terms, roots: impl Iterator<Item = Term>) -> FxHashSet<usize> {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut sources = FxHashSet::default();
        let mut stack: Vec<Term> = roots.collect();
        while let Some(t) = stack.pop() {
            if !seen.insert(t) {
                continue;
            }
            match self.of.get(&t) {
                Some(d) => {
                    sources.extend(d.source);
                    stack.extend(d.terms());
                }
                None => stack.extend(terms.args(t)),
            }
            sources.extend(self.bounds.get(&t).into_iter().flat_map(|b| &b.sources));
        }
        sources
    }
}

/// Whether `t` is a free constant.
pub(crate) fn is_leaf(terms: &Terms, t: Term) -> bool {
    matches!(terms.kind(t), Kind::Var(_) | Kind::Sym(_) | Kind::Addr(_))
}

/// The inverse of an odd number modulo a power of two, by Newton's iteration.
fn inverse(k: &Bv) -> Option<Bv> {
    if !k.bit(0) {
        return None;
    }
    let w = k.width();
    let two = Bv::apply(BvOp::Add, &Bv::new(w, 1), &Bv::new(w, 1));
    let mut x = k.clone();
    let mut right_bits = 3;
    while right_bits < w {
        let error = Bv::apply(BvOp::Sub, &two, &Bv::apply(BvOp::Mul, k, &x));
        x = Bv::apply(BvOp::Mul, &x, &error);
        right_bits *= 2;
    }
    Some(x)
}
