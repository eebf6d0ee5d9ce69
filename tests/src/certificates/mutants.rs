//! Mutants of certificates: one thing is changed, as errors in a search would change it.
//!
//! Many mutants are no longer proofs; some still are (if a bound is not tight, or a conjunct is not needed). This module does not know
//! which ones are.

use cfa::bv::{Bv, BvCmp, BvOp};
use cfa::term::Kind;
use cfa::{Sort, Term, Terms, VarId};
use checker::{Certificate, Contract, Node};
use kerf_testing::Random;
use rustc_hash::FxHashMap;

/// What is changed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Change {
    /// A constant in an invariant, a constraint or a value, by one.
    Bound,
    /// A comparison, with its sides swapped.
    Swapped,
    /// A condition, negated.
    Negated,
    /// A comparison, signed instead of unsigned or the other way round.
    Signedness,
    /// A comparison, strict instead of not or the other way round.
    Strictness,
    /// A sum, which becomes a difference.
    Sign,
    /// An invariant or a constraint is gone.
    Conjunct,
    /// A variable's value in a label is gone.
    Value,
    /// A variable that a loop writes is not said to be written.
    Written,
    /// A successor is gone: the step is claimed to be infeasible.
    Successor,
    /// A step leads to another node of the same place.
    Target,
    /// A witness is gone or another one.
    Witness,
    /// A step leads to a successor also in other cases.
    Case,
}

impl Change {
    /// What is changed, in a word.
    pub fn name(self) -> &'static str {
        match self {
            Change::Bound => "bound",
            Change::Swapped => "sides swapped",
            Change::Negated => "negated",
            Change::Signedness => "signedness",
            Change::Strictness => "strictness",
            Change::Sign => "sign",
            Change::Conjunct => "conjunct dropped",
            Change::Value => "value dropped",
            Change::Written => "written variable dropped",
            Change::Successor => "successor dropped",
            Change::Target => "other target",
            Change::Witness => "witness",
            Change::Case => "case widened",
        }
    }

    /// All kinds.
    pub const ALL: [Change; 13] = [
        Change::Bound,
        Change::Swapped,
        Change::Negated,
        Change::Signedness,
        Change::Strictness,
        Change::Sign,
        Change::Conjunct,
        Change::Value,
        Change::Written,
        Change::Successor,
        Change::Target,
        Change::Witness,
        Change::Case,
    ];
}

/// `certificate` with one thing changed; `None` if it has nothing of the kind, or if it would stay the same.
pub fn mutant(random: &mut Random, certificate: &Certificate, change: Change) -> Option<Certificate> {
    let mut mutant = certificate.clone();
    let terms = &mut mutant.terms;
    let (nodes, contracts) = (&mut mutant.nodes, &mut mutant.contracts);
    let changed = match change {
        Change::Bound | Change::Swapped | Change::Negated | Change::Signedness | Change::Strictness | Change::Sign => {
            one_of(random, stated(nodes, contracts), |random, (place, t)| {
                let new = changed_term(random, terms, *t, change);
                new.map(|new| place.put(nodes, contracts, new)).is_some()
            })
        }
        Change::Conjunct => {
            let of_contracts = contracts.iter_mut().flat_map(|c| [&mut c.pre, &mut c.post]);
            let (mut of_elements, mut all) = (Vec::new(), Vec::new());
            for node in nodes.iter_mut() {
                let Node { label, repeats, .. } = node;
                all.extend(label.as_mut().map(|l| &mut l.constraints));
                if let Some(l) = repeats {
                    all.push(&mut l.invariants);
                    of_elements.push(&mut l.universals);
                }
            }
            all.extend(of_contracts);
            if random.below((all.len() + of_elements.len()).max(1)) < of_elements.len() {
                one_of(random, of_elements, |r, list| remove_one(r, list))
            } else {
                one_of(random, all, |r, list| remove_one(r, list))
            }
        }
        Change::Value => {
            one_of(random, nodes.iter_mut().filter_map(|n| n.label.as_mut()).collect(), |random, label| {
                let (locals, globals) = (label.env.locals.len(), label.env.globals.len());
                let n = random.below((locals + globals).max(1));
                let map = if n < locals { &mut label.env.locals } else { &mut label.env.globals };
                let key = map.keys().nth(if n < locals { n } else { n - locals }).copied();
                key.and_then(|v| map.remove(&v)).is_some()
            })
        }
        Change::Written => {
            let written = nodes.iter_mut().filter_map(|n| n.repeats.as_mut()).map(|l| &mut l.written);
            one_of(random, written.collect(), |r, list| remove_one(r, list))
        }
        Change::Successor => {
            let successors = nodes.iter_mut().map(|n| &mut n.successors);
            one_of(random, successors.collect(), |r, list| remove_one(r, list))
        }
        Change::Target => {
            let places: Vec<_> = nodes.iter().map(|n| (n.loc, n.stack)).collect();
            let steps: Vec<_> = nodes.iter_mut().flat_map(|n| &mut n.successors).collect();
            one_of(random, steps, |random, s| {
                let same = |k: &usize| places[*k] == places[s.to as usize] && *k != s.to as usize;
                let others: Vec<usize> = (0..places.len()).filter(same).collect();
                let some = !others.is_empty();
                if some {
                    s.to = random.pick(&others) as u32;
                }
                some
            })
        }
        Change::Case => {
            let cases = nodes.iter_mut().flat_map(|n| &mut n.successors).map(|s| &mut s.case);
            one_of(random, cases.collect(), |r, list| remove_one(r, list))
        }
        Change::Witness => {
            let witnesses: Vec<_> = nodes.iter_mut().flat_map(|n| &mut n.successors).map(|s| &mut s.witness).collect();
            one_of(random, witnesses, |random, witness| {
                if witness.is_empty() {
                    return false;
                }
                let i = random.below(witness.len());
                if random.one_in(2) {
                    witness.remove(i);
                    return true;
                }
                let new = changed_term(random, terms, witness[i].1, Change::Bound);
                new.map(|new| witness[i].1 = new).is_some()
            })
        }
    };
    changed.then_some(mutant)
}

/// Maximum number of places that are tried, since many may have nothing of the kind.
const TRIES: usize = 40;

/// Changes one of `all`. Returns whether that was possible.
fn one_of<T>(random: &mut Random, mut all: Vec<T>, mut change: impl FnMut(&mut Random, &mut T) -> bool) -> bool {
    if all.is_empty() {
        return false;
    }
    (0..TRIES).any(|_| {
        let i = random.below(all.len());
        change(random, &mut all[i])
    })
}

/// Removes an element. Returns whether there was one.
fn remove_one<T>(random: &mut Random, list: &mut Vec<T>) -> bool {
    let some = !list.is_empty();
    if some {
        list.remove(random.below(list.len()));
    }
    some
}

/// Where a term stands: the index of the node or of the contract, and the index in one of its lists (for a value, the variable).
#[derive(Clone, Copy)]
enum Place {
    Constraint(usize, usize),
    Invariant(usize, usize),
    OfElements(usize, usize),
    Value(usize, VarId),
    Precondition(usize, usize),
    Postcondition(usize, usize),
}

impl Place {
    fn put(self, nodes: &mut [Node], contracts: &mut [Contract], t: Term) {
        match self {
            Place::Precondition(n, i) => contracts[n].pre[i] = t,
            Place::Postcondition(n, i) => contracts[n].post[i] = t,
            Place::Constraint(n, i) => nodes[n].label.iter_mut().for_each(|l| l.constraints[i] = t),
            Place::Invariant(n, i) => nodes[n].repeats.iter_mut().for_each(|l| l.invariants[i] = t),
            Place::OfElements(n, i) => nodes[n].repeats.iter_mut().for_each(|l| l.universals[i].body = t),
            Place::Value(n, v) => nodes[n].label.iter_mut().for_each(|l| {
                let map = if l.env.locals.contains_key(&v) { &mut l.env.locals } else { &mut l.env.globals };
                map.insert(v, t);
            }),
        }
    }
}

/// The terms that nodes and contracts state.
fn stated(nodes: &[Node], contracts: &[Contract]) -> Vec<(Place, Term)> {
    let mut all = Vec::new();
    for (n, contract) in contracts.iter().enumerate() {
        all.extend(contract.pre.iter().enumerate().map(|(i, t)| (Place::Precondition(n, i), *t)));
        all.extend(contract.post.iter().enumerate().map(|(i, t)| (Place::Postcondition(n, i), *t)));
    }
    for (n, node) in nodes.iter().enumerate() {
        if let Some(label) = &node.label {
            all.extend(label.constraints.iter().enumerate().map(|(i, t)| (Place::Constraint(n, i), *t)));
            all.extend(label.env.globals.iter().chain(&label.env.locals).map(|(v, t)| (Place::Value(n, *v), *t)));
        }
        let invariants = node.repeats.iter().flat_map(|l| l.invariants.iter().enumerate());
        all.extend(invariants.map(|(i, t)| (Place::Invariant(n, i), *t)));
        let of_elements = node.repeats.iter().flat_map(|l| l.universals.iter().enumerate());
        all.extend(of_elements.map(|(i, u)| (Place::OfElements(n, i), u.body)));
    }
    all
}

/// `t` with one subterm changed; `None` if it has none of the kind.
fn changed_term(random: &mut Random, terms: &mut Terms, t: Term, change: Change) -> Option<Term> {
    let order = terms.subterms(&[t], |_| false);
    let candidates: Vec<Term> = order.iter().copied().filter(|u| is_of_kind(terms, *u, change)).collect();
    if candidates.is_empty() {
        return None;
    }
    let old = random.pick(&candidates);
    let new = changed_node(random, terms, old, change);
    let mut done: FxHashMap<Term, Term> = FxHashMap::default();
    for u in order {
        let args: Vec<Term> = terms.args(u).iter().map(|a| done[a]).collect();
        let same = args == terms.args(u);
        let built = match u {
            _ if u == old => new,
            _ if same => u,
            _ => terms.rebuild(u, &args),
        };
        done.insert(u, built);
    }
    Some(done[&t]).filter(|built| *built != t)
}

fn is_of_kind(terms: &Terms, t: Term, change: Change) -> bool {
    match (terms.kind(t), change) {
        (Kind::Const(_) | Kind::BigConst(_), Change::Bound) => true,
        (Kind::Cmp(_), Change::Swapped | Change::Signedness | Change::Strictness) => true,
        (Kind::Bv(BvOp::Add | BvOp::Sub), Change::Sign) => true,
        (_, Change::Negated) => terms.sort(t) == Sort::Bool,
        _ => false,
    }
}

fn changed_node(random: &mut Random, terms: &mut Terms, t: Term, change: Change) -> Term {
    let args = terms.args(t).to_vec();
    match (terms.kind(t), change) {
        (Kind::Cmp(cmp), Change::Swapped) => terms.cmp(cmp, args[1], args[0]),
        (Kind::Cmp(cmp), Change::Signedness) => {
            let other = match cmp {
                BvCmp::Ult => BvCmp::Slt,
                BvCmp::Slt => BvCmp::Ult,
                BvCmp::Ule => BvCmp::Sle,
                BvCmp::Sle => BvCmp::Ule,
            };
            terms.cmp(other, args[0], args[1])
        }
        (Kind::Cmp(cmp), Change::Strictness) => {
            let other = match cmp {
                BvCmp::Ult => BvCmp::Ule,
                BvCmp::Ule => BvCmp::Ult,
                BvCmp::Slt => BvCmp::Sle,
                BvCmp::Sle => BvCmp::Slt,
            };
            terms.cmp(other, args[0], args[1])
        }
        (Kind::Bv(BvOp::Add), Change::Sign) => terms.sub(args[0], args[1]),
        (Kind::Bv(_), Change::Sign) => terms.add(args[0], args[1]),
        (_, Change::Negated) => terms.not(t),
        _ => {
            let Some(value) = terms.as_bv(t) else { return t };
            let one = Bv::new(value.width(), 1);
            let op = if random.one_in(2) { BvOp::Add } else { BvOp::Sub };
            terms.constant(&Bv::apply(op, &value, &one))
        }
    }
}
