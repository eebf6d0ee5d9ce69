//! The check of a points-to solution, and of the split of memory that is based on it.
//!
//! A solution claims a points-to set for each variable and for each part of each object. It is correct if it is *closed*: whatever an
//! operation of a function that may be called computes from claimed values is claimed for what it writes. Then, by induction over the
//! steps of an execution, each address in it points to what is claimed, or the access is invalid. The check goes through all operations
//! once, computes the points-to set of each term from the claims for variables and contents, and compares. It does not solve anything, so
//! it shares nothing with the analysis except for the lattice of offsets (`cfa::offset`).
//!
//! What a value carries:
//!
//! - an address plus a number carries the object of the address, at an offset;
//! - any other result computed from an address carries the object *mangled*: it is no longer plain pointer arithmetic
//!   ([`Offset::MANGLED`]);
//! - comparisons, truth values and values of less than 8 bits carry nothing. The operands of such an operation are *exposed*: an integer
//!   may become that address again, which is why every value from outside may point to it.
//!
//! The split is correct if every access lies in the memory or variables to which it was assigned: all objects to which its address may
//! point are in that memory, or the address points to the single object of those variables, at one offset. An address that may also lie
//! outside the program must have been tested before. Objects whose address is exposed must not have a fixed address, unless this is
//! declared. A call of an address from outside must stay unsupported beside the calls by name.

mod calls;
mod closed;
mod contents;
mod split;
mod values;

pub use calls::check_open_calls;
pub use closed::check_pointers;
pub use split::check_split;

use cfa::offset::{Offset, Pointee};
use cfa::pointers::{ContentClaim, PointerClaims, SetId};
use cfa::term::{Kind, Sort, Term};
use cfa::{Cfa, EdgeId, FuncId, Id, ObjectId, Op, RawCfa, RawFacts, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Values of fewer bits do not carry pointers.
const CARRYING_BITS: u32 = 8;

/// What is wrong with a solution, in words.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the points-to solution is wrong: {0}")]
pub struct NotClosed(pub String);

type Verdict = Result<(), NotClosed>;

/// How a pointee changes on its way from one value to another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Flow {
    /// The value is copied.
    Plain,
    /// A constant is added.
    Plus(i64),
    /// An unknown multiple of 2^n is added.
    Multiple(u8),
    /// The value is a part of the address.
    Part,
    /// The value is computed from the address: what lies outside is no longer an address.
    Computed,
}

/// The claims about a program, and what has been computed from them.
struct Check<'a> {
    cfa: &'a Cfa,
    facts: &'a RawFacts,
    claims: &'a PointerClaims,
    /// The variable that holds the program's memory, if anything is written.
    memory: Option<VarId>,
    /// The object that represents everything outside the program.
    outside: Option<ObjectId>,
    /// Comparisons and subtractions of two pointers.
    compared: FxHashSet<Term>,
    /// The claimed sets, followed by those that were computed; each occurs once.
    sets: Vec<Vec<Pointee>>,
    numbers: FxHashMap<Vec<Pointee>, SetId>,
    /// The points-to sets of terms.
    values: FxHashMap<Term, SetId>,
    /// The results of [`Check::flow`].
    flowed: FxHashMap<(SetId, Flow), SetId>,
    /// Pairs of which the second set claims all of the first.
    covered: FxHashSet<(SetId, SetId)>,
    /// Terms whose effects have been checked.
    seen: FxHashSet<Term>,
}

impl<'a> Check<'a> {
    fn new(raw: &'a RawCfa, claims: &'a PointerClaims) -> Result<Check<'a>, NotClosed> {
        let RawCfa { cfa, facts } = raw;
        let ill_formed = |what: &str| NotClosed(format!("it is not for this program: {what}"));
        let n_sets = claims.sets.len();
        let known = |s: SetId| (s as usize) < n_sets;
        let of_content = |c: &ContentClaim| {
            known(c.all) && c.residues.iter().all(|s| known(*s)) && c.granules.iter().all(|(_, s)| known(*s))
        };
        let objects_exist = claims.sets.iter().flatten().all(|p| p.0.index() < cfa.objects.len());
        let sets_exist = claims.vars.iter().all(|s| known(*s)) && known(claims.known) && known(claims.exposed);
        if !objects_exist || !sets_exist || !claims.contents.iter().all(of_content) {
            return Err(ill_formed("a set or an object does not exist"));
        }
        if claims.contents.len() != cfa.objects.len() || claims.reached.len() != cfa.funcs.len() {
            return Err(ill_formed("objects or functions are missing"));
        }
        if claims.sets.first().is_none_or(|s| !s.is_empty()) || !claims.sets.iter().all(|s| s.is_sorted_by_key(|p| p.0))
        {
            return Err(ill_formed("sets are not in order"));
        }
        let terms = &cfa.terms;
        let proper = |t: Term| if terms.kind(t) == Kind::Ite { terms.args(t)[0] } else { t };
        let compared = facts.pointer_comparisons.keys().flat_map(|e| cfa.edges[*e].op.terms());
        let assigned = cfa.edges.iter().flat_map(|edge| match &edge.op {
            Op::Assign(list) => &list[..],
            _ => &[],
        });
        let mut memories = assigned.map(|a| a.0).filter(|v| matches!(cfa.vars[*v].sort, Sort::Array { .. }));
        let memory = memories.next();
        if memories.any(|v| Some(v) != memory) {
            return Err(ill_formed("the program has more than one memory"));
        }
        Ok(Check {
            cfa,
            facts,
            claims,
            memory,
            outside: cfa.outside(),
            compared: compared.flat_map(|t| [t, proper(t)]).collect(),
            sets: claims.sets.clone(),
            numbers: FxHashMap::default(),
            values: FxHashMap::default(),
            flowed: FxHashMap::default(),
            covered: FxHashSet::default(),
            seen: FxHashSet::default(),
        })
    }

    /// Runs `check` on each edge of the functions that may be called; adds the place to an error.
    fn each_edge(&mut self, check: impl Fn(&mut Self, EdgeId) -> Verdict) -> Verdict {
        let cfa = self.cfa;
        for (e, edge) in cfa.edges.iter_enumerated() {
            if self.is_reached(cfa.locs[edge.from].func) {
                check(self, e).map_err(|NotClosed(why)| {
                    NotClosed(format!("{why} (edge {}, {})", e.index(), cfa.place(edge.span)))
                })?;
            }
        }
        Ok(())
    }

    fn is_reached(&self, f: FuncId) -> bool {
        self.claims.reached[f.index()]
    }

    /// The number of the set of `pointees`; 0 if there are none.
    fn set(&mut self, mut pointees: Vec<Pointee>) -> SetId {
        pointees.sort_unstable_by_key(|p| (p.0, p.1.key()));
        pointees.dedup();
        if pointees.is_empty() {
            return 0;
        }
        if let Some(n) = self.numbers.get(&pointees) {
            return *n;
        }
        self.sets.push(pointees.clone());
        let n = self.sets.len() as SetId - 1;
        self.numbers.insert(pointees, n);
        n
    }

    fn union(&mut self, parts: impl IntoIterator<Item = SetId>) -> SetId {
        let mut parts: Vec<SetId> = parts.into_iter().filter(|s| *s != 0).collect();
        parts.sort_unstable();
        parts.dedup();
        match parts[..] {
            [] => 0,
            [one] => one,
            _ => {
                let all = parts.iter().flat_map(|s| self.sets[*s as usize].iter().copied()).collect();
                self.set(all)
            }
        }
    }

    /// The result of applying `flow` to a set.
    fn flow(&mut self, s: SetId, flow: Flow) -> SetId {
        if s == 0 || flow == Flow::Plain {
            return s;
        }
        if let Some(known) = self.flowed.get(&(s, flow)) {
            return *known;
        }
        let bits = self.cfa.pointer_bits;
        let outside = self.outside;
        let change = |&(o, offset): &Pointee| -> Option<Pointee> {
            let is_outside = Some(o) == outside;
            let changed = match flow {
                Flow::Plain => offset,
                Flow::Part => Offset::MANGLED,
                Flow::Computed if is_outside => return None,
                Flow::Computed => Offset::MANGLED,
                _ if offset.is_mangled() => offset,
                _ if is_outside => Offset::ANY,
                Flow::Plus(k) => offset.plus(k, bits),
                Flow::Multiple(n) => offset.modulo(n),
            };
            Some((o, changed))
        };
        let changed = self.sets[s as usize].iter().filter_map(change).collect();
        let n = self.set(changed);
        self.flowed.insert((s, flow), n);
        n
    }

    /// Checks that all of `s` is claimed in `by`; `what` names the claim.
    fn within(&mut self, s: SetId, by: SetId, what: impl FnOnce() -> String) -> Verdict {
        if s == 0 || s == by || self.covered.contains(&(s, by)) {
            return Ok(());
        }
        let claimed = &self.sets[by as usize];
        let missing = self.sets[s as usize].iter().find(|&&(o, offset)| {
            let begin = claimed.partition_point(|p| p.0 < o);
            !claimed[begin..].iter().take_while(|p| p.0 == o).any(|p| offset.join(p.1) == p.1)
        });
        if let Some(&(o, offset)) = missing {
            let name = &self.cfa.objects[o].name;
            return Err(NotClosed(format!("{} may point to {name} at {offset:?}", what())));
        }
        self.covered.insert((s, by));
        Ok(())
    }

    /// The claimed content of everything that lies outside the program.
    fn outside_set(&self) -> SetId {
        self.outside.map_or(0, |o| self.claims.contents[o.index()].all)
    }
}
