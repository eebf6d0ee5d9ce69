//! Universally quantified conditions: symbols that represent them, and the finitely many instances by which they take effect.
//!
//! A fact about all elements of an array between two indices is a condition `for all q: body`. The solver never sees a quantifier:
//!
//! - A condition that is *assumed* is replaced by a new Bool symbol, its *name*. Each solver query is extended by implications `name =>
//!   body[q := t]` for some terms `t`. If each name is interpreted as the condition that it represents, all these implications hold, no
//!   matter which terms `t` are used. So if a query is unsatisfiable together with them, it has no model in which names have their
//!   meaning. How the terms `t` are found affects what can be proved, but never whether a proof is correct.
//! - A condition that is to be *shown* is violated if its body is violated for some value: the query contains `body[q := k]` with a
//!   constant `k` that is not used for anything else (a Skolem constant). All conditions share one such constant per sort: a query asks
//!   whether one of several violations is possible, and "some value violates one of them" is the same as "one of them is violated by some
//!   value".
//!
//! Names occur in guards of states like any other condition over symbols, so that arguments about valuations of symbols apply to them
//! unchanged: the value of a name is determined by the values of the symbols of its condition, which are older.
//!
//! **Terms for instances** are the constants of what is to be shown, and indices at which a read in the query reads the cell that a read
//! in the body refers to: the address in the body, a term over `q`, is solved for `q` (as with triggers: Detlefs, Nelson, Saxe, JACM
//! 2005). Instances lead to further reads, so this is repeated a few times (Bradley, Manna, Sipma, VMCAI 2006, describe a fragment for
//! which finitely many instances suffice).

use cfa::bv::BvOp;
use cfa::term::{Kind, Leaf};
use cfa::{Sort, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// Maximum number of rounds. Each round makes instances for the reads in the instances of the round before.
const ROUNDS: usize = 4;
/// Maximum number of instances for one query.
const MAX_INSTANCES: usize = 5_000;
/// Maximum number of equations of addresses that are solved for one query: there is one for each read in a body and each in the query.
const MAX_EQUATIONS: usize = 20_000;

/// A read in a body whose address depends on the quantified symbol, or any read in a query.
#[derive(Clone, Debug)]
struct Pattern {
    /// The memories from which the memory that is read is made.
    memories: Vec<Term>,
    address: Term,
    /// Width of what is read, in bits.
    width: u32,
}

/// The condition `for all index: body`.
#[derive(Clone, Debug)]
struct Universal {
    /// The quantified symbol, which occurs nowhere else.
    index: Term,
    body: Term,
    patterns: Vec<Pattern>,
    /// Subterms of the body in which the index occurs.
    over_index: FxHashSet<Term>,
}

/// The universal conditions of some terms.
#[derive(Clone, Default, Debug)]
pub struct Universals {
    /// By name.
    of: FxHashMap<Term, Universal>,
    constants: FxHashMap<Sort, Term>,
}

impl Universals {
    /// A new symbol of this sort, to be quantified.
    pub fn index(&self, terms: &mut Terms, sort: Sort) -> Term {
        terms.fresh("index", sort)
    }

    /// The Skolem constant of this sort, which all conditions that are to be shown share.
    pub fn constant(&mut self, terms: &mut Terms, sort: Sort) -> Term {
        *self.constants.entry(sort).or_insert_with(|| terms.fresh("any", sort))
    }

    /// A name for `for all index: body`, where `index` is a new symbol; `body` itself if `index` does not occur in it.
    pub fn name(&mut self, terms: &mut Terms, index: Term, body: Term) -> Term {
        let over_index = over(terms, index, body);
        if !over_index.contains(&body) {
            return body;
        }
        let mut patterns = Vec::new();
        for &t in &over_index {
            if terms.kind(t) == Kind::Read && over_index.contains(&terms.args(t)[1]) {
                let [memory, address] = *terms.args(t) else { unreachable!("read has two arguments") };
                patterns.push(Pattern { memories: leaves(terms, memory), address, width: terms.width(t) });
            }
        }
        patterns.sort_by_key(|p| (p.address, p.width));
        let name = terms.fresh("for all", Sort::Bool);
        self.of.insert(name, Universal { index, body, patterns, over_index });
        name
    }

    /// Implications from the names in `roots` that are `wanted` to instances of their conditions. Some may be left out, since rounds and
    /// instances are limited in number.
    pub fn instances(&self, terms: &mut Terms, roots: &[Term], wanted: &dyn Fn(Term) -> bool) -> Vec<Term> {
        let mut found = Vec::new();
        if self.of.is_empty() {
            return found;
        }
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut query = Query::default();
        let mut made: FxHashSet<(Term, Term)> = FxHashSet::default();
        let mut new = roots.to_vec();
        let mut equations = MAX_EQUATIONS;
        for _ in 0..ROUNDS {
            let [names, constants, reads] = [query.names.len(), query.constants.len(), query.reads.len()];
            for t in terms.subterms(&new, |t| seen.contains(&t)) {
                seen.insert(t);
                if self.of.contains_key(&t) && wanted(t) {
                    query.names.push(t);
                } else if self.constants.values().any(|k| *k == t) {
                    query.constants.push(t);
                } else if terms.kind(t) == Kind::Read {
                    let [memory, address] = *terms.args(t) else { unreachable!("read has two arguments") };
                    let read = Pattern { memories: leaves(terms, memory), address, width: terms.width(t) };
                    query.reads.push(read);
                }
            }
            new.clear();
            for (i, &name) in query.names.iter().enumerate() {
                let universal = &self.of[&name];
                // A name that is not new has been instantiated for all that is not new.
                let (constants, reads) = if i < names { (constants, reads) } else { (0, 0) };
                let new_ones = (&query.constants[constants..], &query.reads[reads..]);
                for value in universal.values(terms, new_ones, &mut equations) {
                    if made.len() < MAX_INSTANCES && made.insert((name, value)) {
                        let instance = universal.instance(terms, value);
                        new.push(terms.implies(name, instance));
                    }
                }
            }
            if new.is_empty() {
                break;
            }
            found.extend(&new);
        }
        found
    }
}

/// What has been found in a query: the names whose conditions are instantiated, and the constants and reads that yield values of indices.
#[derive(Default)]
struct Query {
    names: Vec<Term>,
    constants: Vec<Term>,
    reads: Vec<Pattern>,
}

impl Universal {
    fn instance(&self, terms: &mut Terms, value: Term) -> Term {
        let index = terms.kind(self.index);
        terms.substitute(self.body, &mut FxHashMap::default(), &mut |_, leaf| match leaf {
            Leaf::Sym(s) => (Kind::Sym(s) == index).then_some(value),
            Leaf::Var(_) | Leaf::Addr(_) => None,
        })
    }

    /// Values of the index for which an instance may be useful, from constants and reads in a query; no more than `equations` are solved,
    /// which is reduced by their number.
    fn values(&self, terms: &mut Terms, (constants, reads): (&[Term], &[Pattern]), equations: &mut usize) -> Vec<Term> {
        let sort = terms.sort(self.index);
        let mut values: Vec<Term> = constants.iter().copied().filter(|k| terms.sort(*k) == sort).collect();
        for pattern in &self.patterns {
            for read in reads.iter().filter(|r| r.width == pattern.width) {
                if *equations > 0 && pattern.memories.iter().any(|m| read.memories.contains(m)) {
                    *equations -= 1;
                    values.extend(self.solve(terms, pattern.address, read.address));
                }
            }
        }
        values
    }

    /// The index for which the address `pattern` of the body equals `address`, if there is one that can be determined syntactically.
    fn solve(&self, terms: &mut Terms, mut pattern: Term, mut address: Term) -> Option<Term> {
        let has_index = |t: Term| self.over_index.contains(&t);
        while pattern != self.index {
            let (kind, args) = (terms.kind(pattern), terms.args(pattern).to_vec());
            (pattern, address) = match (kind, &args[..]) {
                (Kind::Bv(BvOp::Add), &[a, b]) if has_index(a) && !has_index(b) => (a, terms.sub(address, b)),
                (Kind::Bv(BvOp::Add), &[b, a]) if has_index(a) && !has_index(b) => (a, terms.sub(address, b)),
                (Kind::Bv(BvOp::Sub), &[a, b]) if !has_index(b) => (a, terms.add(address, b)),
                (Kind::Bv(BvOp::Sub), &[b, a]) if !has_index(b) => (a, terms.sub(b, address)),
                (Kind::Bv(BvOp::Mul), &[a, k]) if !has_index(k) => (a, quotient(terms, a, address, k)),
                (Kind::Concat, &[a, zeros]) if has_index(a) && terms.as_u64(zeros) == Some(0) => {
                    let (low, width) = (terms.width(zeros), terms.width(pattern));
                    (a, terms.extract(width - 1, low, address))
                }
                (Kind::Sext | Kind::Zext, &[a]) => (a, narrowed(terms, kind, address, terms.width(a))),
                _ => return None,
            };
        }
        Some(address)
    }
}

/// A term that yields `product` when multiplied by `k`; it takes the place of `factor`.
fn quotient(terms: &mut Terms, factor: Term, product: Term, k: Term) -> Term {
    if terms.kind(product) == Kind::Bv(BvOp::Mul) && terms.args(product)[1] == k {
        return terms.args(product)[0];
    }
    let is_signed = terms.kind(factor) == Kind::Sext;
    let width = terms.width(k);
    match terms.as_u64(k).filter(|k| k.is_power_of_two()) {
        Some(k) => {
            let shift = terms.int(width, u64::from(k.trailing_zeros()));
            terms.bv_op(if is_signed { BvOp::Ashr } else { BvOp::Lshr }, product, shift)
        }
        None => terms.bv_op(if is_signed { BvOp::Sdiv } else { BvOp::Udiv }, product, k),
    }
}

/// The term of `width` bits whose extension by `kind` is `t`, if there is one.
fn narrowed(terms: &mut Terms, kind: Kind, t: Term, width: u32) -> Term {
    if terms.kind(t) == kind && terms.width(terms.args(t)[0]) == width {
        return terms.args(t)[0];
    }
    terms.extract(width - 1, 0, t)
}

/// The subterms of `t` in which `leaf` occurs.
fn over(terms: &Terms, leaf: Term, t: Term) -> FxHashSet<Term> {
    let mut found = FxHashSet::default();
    // Arguments come before their users.
    for u in terms.subterms(&[t], |_| false) {
        if u == leaf || terms.args(u).iter().any(|a| found.contains(a)) {
            found.insert(u);
        }
    }
    found
}

/// The memories from which `memory` is made by writes, copies and if-then-else.
fn leaves(terms: &Terms, memory: Term) -> Vec<Term> {
    let (mut found, mut seen, mut work) = (Vec::new(), FxHashSet::default(), vec![memory]);
    while let Some(m) = work.pop() {
        if !seen.insert(m) {
            continue;
        }
        match (terms.kind(m), terms.args(m)) {
            (Kind::Write, args) => work.push(args[0]),
            (Kind::Ite, args) => work.extend(&args[1..]),
            (Kind::Copy, args) => work.extend([args[0], args[2]]),
            _ => found.push(m),
        }
    }
    found
}
