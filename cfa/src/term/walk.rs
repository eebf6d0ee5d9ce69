//! Traversals of terms: substitution of leaves, reachable subterms, leaves. None of them recurses on the depth of a term.

use super::{Kind, Node, Term, Terms};
use crate::ids::{Id, ObjectId, SymId, VarId};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

/// A leaf that a substitution can replace or a traversal can report.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Leaf {
    /// A program variable.
    Var(VarId),
    /// A symbol.
    Sym(SymId),
    /// The base address of an object.
    Addr(ObjectId),
}

impl Terms {
    fn leaf(&self, t: Term) -> Option<Leaf> {
        match self.kind(t) {
            Kind::Var(v) => Some(Leaf::Var(v)),
            Kind::Sym(s) => Some(Leaf::Sym(s)),
            Kind::Addr(o) => Some(Leaf::Addr(o)),
            _ => None,
        }
    }

    /// Replaces leaves by the results of `leaf` (`None` keeps them), simplifying bottom-up.
    ///
    /// `done` memoizes results: pass the same map to calls with the same replacement, and an empty map otherwise.
    pub fn substitute(
        &mut self,
        t: Term,
        done: &mut FxHashMap<Term, Term>,
        leaf: &mut dyn FnMut(&mut Terms, Leaf) -> Option<Term>,
    ) -> Term {
        self.substitute_except(t, done, leaf, &mut |_, _| false)
    }

    /// The same, except that terms for which `stays` holds stay as they are.
    pub fn substitute_except(
        &mut self,
        t: Term,
        done: &mut FxHashMap<Term, Term>,
        leaf: &mut dyn FnMut(&mut Terms, Leaf) -> Option<Term>,
        stays: &mut dyn FnMut(&Terms, Term) -> bool,
    ) -> Term {
        if stays(self, t) {
            return t;
        }
        if let Some(&r) = done.get(&t) {
            return r;
        }
        let mut stack = vec![t];
        let mut args: Vec<Term> = Vec::new();
        while let Some(&top) = stack.last() {
            if done.contains_key(&top) {
                stack.pop();
                continue;
            }
            if let Some(l) = self.leaf(top) {
                let r = leaf(self, l).unwrap_or(top);
                done.insert(top, r);
                stack.pop();
                continue;
            }
            args.clear();
            let mut ready = true;
            for &a in self.args(top) {
                match done.get(&a) {
                    _ if stays(self, a) => args.push(a),
                    Some(&r) => args.push(r),
                    None => {
                        ready = false;
                        stack.push(a);
                    }
                }
            }
            if ready {
                stack.pop();
                let r = self.rebuild(top, &args);
                done.insert(top, r);
            }
        }
        done[&t]
    }

    /// All subterms of `roots`, each once, arguments before the terms that use them. Terms for which `skip` holds are left out, and
    /// their arguments are not visited through them.
    pub fn subterms(&self, roots: &[Term], skip: impl Fn(Term) -> bool) -> Vec<Term> {
        // Among few terms, a scan is faster than a set.
        const FEW: usize = 16;
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut stack: SmallVec<[Term; FEW]> = roots.into();
        let mut found = Vec::new();
        while let Some(t) = stack.pop() {
            if found.len() == FEW && seen.is_empty() {
                seen.extend(&found);
            }
            if skip(t) || if found.len() < FEW { found.contains(&t) } else { !seen.insert(t) } {
                continue;
            }
            found.push(t);
            stack.extend_from_slice(self.args(t));
        }
        // Arguments have smaller ids than the terms that use them.
        found.sort_unstable();
        found
    }

    /// Whether `t` has no more than `most` different subterms. Does not look at more.
    pub fn is_small(&self, t: Term, most: usize) -> bool {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut stack = vec![t];
        while let Some(t) = stack.pop() {
            if seen.insert(t) {
                stack.extend_from_slice(self.args(t));
            }
            if seen.len() > most {
                return false;
            }
        }
        true
    }

    /// All subterms of many `roots`, as a set of their ids. Linear in the number of terms of the arena, whatever their depth.
    pub fn all_subterms(&self, roots: impl IntoIterator<Item = Term>) -> FixedBitSet {
        let mut found = FixedBitSet::with_capacity(self.len());
        roots.into_iter().for_each(|t| found.insert(t.index()));
        // Arguments have smaller ids than the terms that use them.
        for i in (0..self.len()).rev() {
            if found.contains(i) {
                self.args(Term::from_index(i)).iter().for_each(|a| found.insert(a.index()));
            }
        }
        found
    }

    /// The terms that have a subterm for which `holds`, as a set of their ids. Linear in the number of terms of the arena.
    pub fn having(&self, holds: impl Fn(&Node) -> bool) -> FixedBitSet {
        let mut found = FixedBitSet::with_capacity(self.len());
        for i in 0..self.len() {
            let node = self.node(Term::from_index(i));
            let has = holds(node) || node.args.iter().any(|a| found.contains(a.index()));
            found.set(i, has);
        }
        found
    }

    /// The conjuncts of all of `ts`, each once, in their order; without `true`.
    pub fn conjuncts(&self, ts: &[Term]) -> Vec<Term> {
        let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
        let mut work: Vec<Term> = ts.iter().rev().copied().collect();
        while let Some(t) = work.pop() {
            match self.kind(t) {
                _ if !seen.insert(t) => {}
                Kind::And => work.extend(self.args(t).iter().rev()),
                Kind::Bool(true) => {}
                _ => found.push(t),
            }
        }
        found
    }

    /// The leaves of `roots`, each once, ascending by term id.
    pub fn leaves(&self, roots: &[Term]) -> Vec<Leaf> {
        self.subterms(roots, |_| false).into_iter().filter_map(|t| self.leaf(t)).collect()
    }

    /// The program variables in `t`, each once.
    pub fn vars(&self, t: Term) -> Vec<VarId> {
        self.leaves(&[t])
            .into_iter()
            .filter_map(|l| match l {
                Leaf::Var(v) => Some(v),
                _ => None,
            })
            .collect()
    }

    /// Copies `t` of `from` into this arena. `symbol` maps its symbols; variables and addresses keep their ids. `done` memoizes as
    /// in [`substitute`](Self::substitute).
    pub fn import(
        &mut self,
        from: &Terms,
        t: Term,
        done: &mut FxHashMap<Term, Term>,
        symbol: &mut dyn FnMut(&mut Terms, SymId) -> Term,
    ) -> Term {
        let order = from.subterms(&[t], |u| done.contains_key(&u));
        let mut args = Vec::new();
        for u in order {
            args.clear();
            args.extend(from.args(u).iter().map(|a| done[a]));
            let node = from.node(u);
            let r = match node.kind {
                Kind::Sym(s) => symbol(self, s),
                Kind::BigConst(_) => self.constant(&from.as_bv(u).expect("a constant")),
                kind => self.make(kind, &args, node.sort),
            };
            done.insert(u, r);
        }
        done[&t]
    }
}
