//! The symbols of terms, and which conditions they connect.

use super::{Kind, Terms};
use crate::ids::{Id, SymId, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The newest symbol of each term: what was made before a symbol does not contain it.
#[derive(Default)]
pub struct NewestSymbols {
    /// By the ids of terms.
    of: Vec<Option<SymId>>,
}

impl NewestSymbols {
    /// The newest symbol of `t`, if it has any. Linear in the terms made since the last call.
    pub fn of(&mut self, terms: &Terms, t: Term) -> Option<SymId> {
        for i in self.of.len()..=t.index() {
            let t = Term::from_index(i);
            let newest = match terms.kind(t) {
                Kind::Sym(s) => Some(s),
                // Arguments have smaller ids than the terms that use them.
                _ => terms.args(t).iter().filter_map(|a| self.of[a.index()]).max(),
            };
            self.of.push(newest);
        }
        self.of[t.index()]
    }
}

/// Maximum number of symbols of a subterm for which they are kept. Values share their parts, and have few symbols; what holds on a path has
/// many, but is a chain.
const FEW: usize = 32;

/// A cache of the symbols of terms.
#[derive(Default)]
pub struct Symbols {
    of: FxHashMap<Term, Rc<[SymId]>>,
}

impl Symbols {
    /// The symbols of `t`, ascending.
    pub fn of(&mut self, terms: &Terms, t: Term) -> Rc<[SymId]> {
        // Memories grow by writes, so most of them are known up to the last ones.
        let (mut writes, mut at) = (Vec::new(), t);
        while terms.kind(at) == Kind::Write && !self.of.contains_key(&at) {
            writes.push(at);
            at = terms.args(at)[0];
        }
        let mut found = match self.of.get(&at) {
            Some(known) => known.clone(),
            None => self.of_all(terms, &[at]),
        };
        self.of.insert(at, found.clone());
        for w in writes.into_iter().rev() {
            let more = self.of_all(terms, &terms.args(w)[1..]);
            let before = found.clone();
            found = either(&found, &more);
            // Sets that grow with each write take more memory than they save.
            if found.len() <= FEW || Rc::ptr_eq(&found, &before) {
                self.of.insert(w, found.clone());
            }
        }
        self.of.insert(t, found.clone());
        found
    }

    /// The symbols of all of `ts`, ascending.
    fn of_all(&mut self, terms: &Terms, ts: &[Term]) -> Rc<[SymId]> {
        self.keep_few(terms, ts);
        let mut all: FxHashSet<SymId> = FxHashSet::default();
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut work = ts.to_vec();
        while let Some(t) = work.pop() {
            match (terms.kind(t), self.of.get(&t)) {
                (Kind::Sym(s), _) => drop(all.insert(s)),
                (_, Some(known)) => all.extend(known.iter()),
                _ if seen.insert(t) => work.extend(terms.args(t)),
                _ => {}
            }
        }
        let mut all: Vec<SymId> = all.into_iter().collect();
        all.sort_unstable();
        all.into()
    }

    /// Notes the symbols of those subterms of `ts` that have few.
    fn keep_few(&mut self, terms: &Terms, ts: &[Term]) {
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        let mut work: Vec<(Term, bool)> = ts.iter().map(|t| (*t, false)).collect();
        while let Some((t, are_args_done)) = work.pop() {
            let args = terms.args(t);
            if args.is_empty() || self.of.contains_key(&t) {
                continue;
            }
            if !are_args_done {
                if seen.insert(t) {
                    work.push((t, true));
                    work.extend(args.iter().map(|a| (*a, false)));
                }
                continue;
            }
            let mut all: Rc<[SymId]> = Rc::default();
            let are_few = args.iter().all(|a| {
                all = match (terms.kind(*a), self.of.get(a)) {
                    (Kind::Sym(s), _) => either(&all, &Rc::from([s])),
                    (_, Some(known)) => either(&all, known),
                    (_, None) if terms.args(*a).is_empty() => all.clone(),
                    (_, None) => return false,
                };
                all.len() <= FEW
            });
            if are_few {
                self.of.insert(t, all);
            }
        }
    }

    /// Whether a symbol of `t` is one of `some`.
    pub fn mentions<T>(&mut self, terms: &Terms, t: Term, some: &FxHashMap<SymId, T>) -> bool {
        !some.is_empty() && self.of(terms, t).iter().any(|s| some.contains_key(s))
    }

    /// Those of `constraints` that are connected to `roots` by shared symbols, ascending (Cadar, Dunbar, Engler, OSDI 2008, 3.3: independence).
    pub fn connected(
        &mut self,
        terms: &Terms,
        roots: &[Term],
        constraints: impl IntoIterator<Item = Term>,
    ) -> Vec<Term> {
        let mut by_symbol: FxHashMap<SymId, Vec<Term>> = FxHashMap::default();
        for c in constraints {
            for s in self.of(terms, c).iter() {
                by_symbol.entry(*s).or_default().push(c);
            }
        }
        let mut found: FxHashSet<Term> = FxHashSet::default();
        let mut work: Vec<Term> = roots.to_vec();
        while let Some(t) = work.pop() {
            for s in self.of(terms, t).iter() {
                for c in by_symbol.remove(s).into_iter().flatten() {
                    if found.insert(c) {
                        work.push(c);
                    }
                }
            }
        }
        let mut found: Vec<Term> = found.into_iter().collect();
        found.sort_unstable();
        found
    }
}

/// The symbols in one of two ascending lists, ascending.
fn either(a: &Rc<[SymId]>, b: &Rc<[SymId]>) -> Rc<[SymId]> {
    let includes = |all: &[SymId], some: &[SymId]| some.iter().all(|s| all.binary_search(s).is_ok());
    if includes(a, b) {
        return a.clone();
    }
    if includes(b, a) {
        return b.clone();
    }
    let mut all: Vec<SymId> = a.iter().chain(b.iter()).copied().collect();
    all.sort_unstable();
    all.dedup();
    all.into()
}
