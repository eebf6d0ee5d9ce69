//! Splitting of states before an access whose address is not known.
//!
//! A state is split into cases if the address depends on a choice between states that were merged ([`merge`](super::merge)), or if it has
//! few values and leads to pointers: an element of a table of pointers, what a pointer points to that may be one of several. So links
//! between objects stay known, as they do where a symbolic execution forks at each pointer (Cadar, Dunbar, Engler, "KLEE", OSDI 2008, 4.2).
//! An index of other data stays symbolic.
//!
//! So is a state before a branch whose condition is a large function of few unknown bits (a decoder of a text that is known up to these):
//! in each case, what is computed from them is known, which is far less than a formula for all of them.
//!
//! What decides between the cases is a subterm of the address, its *core*: a condition, or a bit-vector of few values. In each case, it is
//! replaced by its value wherever it occurs in the state.

use crate::cpa::{Action, Cx, Step};
use crate::domains::symbolic::constants::Places;
use crate::domains::symbolic::{State, SymbolicCpa};
use crate::program::Halt;
use cfa::bv::{BvCmp, BvOp};
use cfa::graph::PROGRAM_AREA;
use cfa::term::Kind;
use cfa::{AssumeKind, EdgeId, Op, Sort, Term, Terms};
use imbl::Vector;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};
use std::rc::Rc;

/// Maximum number of values of an address for which a state is split.
const MOST_VALUES: usize = 8;

/// The same for an element of a table of pointers, where the index has no greater values.
const MOST_ELEMENTS: usize = 256;

/// Maximum number of unknown bits for which a state is split before a condition that is computed from them.
const FEW_BITS: u32 = 8;

/// Minimum size of such a condition, in operations (those in several of its parts counted each time).
const LARGE: u32 = 256;

/// Maximum number of cases into which states are split before conditions, in all.
const MOST_COMPUTED: usize = 1024;

/// Maximum number of cores that turned out to have too many values, beyond as many as have been split.
const MOST_FAILURES: usize = 32;

/// An access to memory in an operation.
#[derive(Clone, Copy, Debug)]
struct Access {
    address: Term,
    /// What is read at the address or written there.
    value: Term,
    /// Whether the address is that of a pointer variable plus a constant.
    follows_pointer: bool,
}

/// What has been found out about addresses.
#[derive(Default)]
pub(super) struct Splits {
    /// A cache: the accesses in the operation of an edge that may lead to pointers.
    accesses: FxHashMap<EdgeId, Rc<[Access]>>,
    /// Cores with too many values.
    many: FxHashSet<Term>,
    /// Cores with values that are read or written but are no pointers in any case.
    data: FxHashSet<(Term, Term)>,
    /// Number of times that a state was split.
    count: usize,
    /// A cache: from what terms are computed; `None` if that is too much.
    computed: FxHashMap<Term, Option<Rc<Computed>>>,
    /// Number of cases into which states were split before conditions.
    computed_cases: usize,
}

/// From what a term is computed.
#[derive(Clone, Default, Debug)]
struct Computed {
    /// The symbols, and for each the bits that matter; at most [`FEW_BITS`] together.
    bits: SmallVec<[(Term, u32); 2]>,
    /// The widest of these symbols and of their parts.
    core: Option<Term>,
    /// The number of operations.
    size: u32,
}

impl SymbolicCpa {
    /// The state before a step, without what is said of states only where paths meet; or the cases into which it is split.
    pub(super) fn split(
        &mut self,
        cx: &mut Cx<'_>,
        s: &State,
        step: &Step<'_>,
        tracks_all: bool,
    ) -> Result<SmallVec<[State; 1]>, Halt> {
        let whole = State { constants: None, parts: Vector::new(), fresh: false, case: Vec::new(), ..s.clone() };
        let (checker::Step::Edge(e), Action::Op(op)) = (step.taken, step.action) else { return Ok(smallvec![whole]) };
        if self.dying.step(cx.program, step).are_all_written(op) {
            return Ok(smallvec![whole]);
        }
        let (mut parts, mut work) = (SmallVec::new(), vec![whole]);
        while let Some(s) = work.pop() {
            cx.terms.know(&s.known);
            let cases = match self.steering(cx, &s, (e, op)) {
                Some(cases) => cases,
                None if tracks_all => match self.leading_to_pointers(cx, &s, (e, op))? {
                    cases if cases.is_empty() => self.computed_from_few_bits(cx, &s, op),
                    cases => cases,
                },
                None => Vec::new(),
            };
            if cases.is_empty() {
                parts.push(s);
                continue;
            }
            for case in cases {
                let mut part = State { fresh: true, ..s.clone() };
                part.case.push(case);
                if self.constrain(cx, &mut part, case)? {
                    self.replace_core(cx, &mut part, case);
                    work.push(part);
                }
            }
        }
        Ok(parts)
    }

    /// The cases of a choice between merged states on which an address depends.
    fn steering(&mut self, cx: &mut Cx<'_>, s: &State, at: (EdgeId, &Op)) -> Option<Vec<Term>> {
        let merges = self.merges.as_mut().filter(|_| s.is_merged)?;
        let choice = merges.steering_choice(cx, s, at)?;
        let is_new = cx.terms.sym(choice);
        Some(vec![cx.terms.not(is_new), is_new])
    }

    /// The cases of an address that leads to pointers; none if there is no such address, or if it has many values.
    fn leading_to_pointers(&mut self, cx: &mut Cx<'_>, s: &State, (e, op): (EdgeId, &Op)) -> Result<Vec<Term>, Halt> {
        let (program, bits) = (cx.program, cx.program.cfa.pointer_bits);
        if self.splits.many.len() > self.splits.count + MOST_FAILURES {
            return Ok(Vec::new());
        }
        let accesses = match self.splits.accesses.get(&e) {
            Some(known) => known.clone(),
            None => {
                let found = accesses(&program.base, bits, op);
                self.splits.accesses.insert(e, found.clone());
                found
            }
        };
        for access in accesses.iter() {
            let mut env = s.env.clone();
            let address = env.eval(&program.cfa, &mut cx.terms, access.address);
            let address = in_cases(&mut cx.terms, &s.case, address);
            let Some(core) = core(&cx.terms, address) else { continue };
            if self.splits.many.contains(&core) {
                continue;
            }
            let value = env.eval(&program.cfa, &mut cx.terms, access.value);
            let value = in_cases(&mut cx.terms, &s.case, value);
            if self.splits.data.contains(&(core, value)) {
                continue;
            }
            let lead_to_pointers =
                |terms: &mut Terms, cases: &[Term]| cases.iter().any(|case| is_pointer(terms, bits, *case, value));
            let Some(cases) = self.cases(cx, s, core, &lead_to_pointers) else {
                cx.budget.check()?;
                self.splits.many.insert(core);
                continue;
            };
            if access.follows_pointer || lead_to_pointers(&mut cx.terms, &cases) {
                self.splits.count += 1;
                return Ok(cases);
            }
            self.splits.data.insert((core, value));
        }
        Ok(Vec::new())
    }

    /// The cases of a part of a symbol from which the condition of a branch is computed; none if it is no large function of few unknown bits.
    fn computed_from_few_bits(&mut self, cx: &mut Cx<'_>, s: &State, op: &Op) -> Vec<Term> {
        let Op::Assume { cond, kind: AssumeKind::Branch } = op else { return Vec::new() };
        if self.splits.computed_cases >= MOST_COMPUTED {
            return Vec::new();
        }
        let cond = s.env.clone().eval(&cx.program.cfa, &mut cx.terms, *cond);
        let cond = in_cases(&mut cx.terms, &s.case, cond);
        let Some(computed) = self.splits.computed(&cx.terms, &self.places, cond) else { return Vec::new() };
        let (Some(core), true) = (computed.core, computed.size >= LARGE) else { return Vec::new() };
        let width = cx.terms.width(core);
        let cases: Vec<Term> = (0..1 << width)
            .map(|value| {
                let value = cx.terms.int(width, value);
                cx.terms.eq(core, value)
            })
            .collect();
        if cases.iter().any(|case| checker::decided(&mut cx.terms, *case).0 != core) {
            return Vec::new();
        }
        self.splits.computed_cases += cases.len();
        cases
    }

    /// The conditions that say which value `core` has; `None` if there are too many of them. There may be [`MOST_ELEMENTS`] if the first few
    /// `lead_to_pointers`.
    fn cases(
        &mut self,
        cx: &mut Cx<'_>,
        s: &State,
        core: Term,
        lead_to_pointers: &dyn Fn(&mut Terms, &[Term]) -> bool,
    ) -> Option<Vec<Term>> {
        if cx.terms.sort(core) == Sort::Bool {
            return Some(vec![cx.terms.not(core), core]);
        }
        let mut query = self.symbols.connected(&cx.terms, &[core], s.constraints.iter().copied());
        let mut found = Vec::new();
        loop {
            if !cx.satisfiable(&query, self.limits.branch)? {
                return Some(found);
            }
            let Ok(cfa::eval::Value::Bv(value)) = cx.solver.model_value(&cx.terms, core) else { return None };
            let are_many = match found.len() {
                MOST_VALUES => !lead_to_pointers(&mut cx.terms, &found) || !self.is_index(cx, &query, core),
                n => n > MOST_ELEMENTS,
            };
            if are_many {
                return None;
            }
            let value = cx.terms.constant(&value);
            let here = cx.terms.eq(core, value);
            if checker::decided(&mut cx.terms, here).0 != core {
                return None;
            }
            found.push(here);
            query.push(cx.terms.not(here));
        }
    }

    /// Whether the conditions of `query` keep `core` below [`MOST_ELEMENTS`].
    fn is_index(&self, cx: &mut Cx<'_>, query: &[Term], core: Term) -> bool {
        let width = cx.terms.width(core);
        if width < usize::BITS && 1 << width <= MOST_ELEMENTS {
            return true;
        }
        let most = cx.terms.int(width, MOST_ELEMENTS as u64);
        let beyond = cx.terms.cmp(BvCmp::Ule, most, core);
        cx.satisfiable(&[query, &[beyond]].concat(), self.limits.branch) == Some(false)
    }

    /// Replaces the core that `case` decides by its value.
    pub(super) fn replace_core(&mut self, cx: &mut Cx<'_>, s: &mut State, case: Term) {
        let (core, value) = checker::decided(&mut cx.terms, case);
        if matches!(cx.terms.kind(core), Kind::Sym(_)) {
            // It has been replaced when the constraint was added.
            return;
        }
        let symbols = self.symbols.of(&cx.terms, core);
        let mut done = FxHashMap::from_iter([(core, value)]);
        let (terms, known) = (&mut cx.terms, &mut self.symbols);
        let mut replaced = |t: Term| {
            let of_term = known.of(terms, t);
            let may_occur = core <= t && symbols.iter().all(|s| of_term.contains(s));
            if may_occur { terms.substitute(t, &mut done, &mut |_, _| None) } else { t }
        };
        s.map_values(&mut replaced);
        let changed: Vec<(Term, Term)> =
            s.constraints.iter().map(|c| (*c, replaced(*c))).filter(|(c, r)| c != r && *c != case).collect();
        for (c, r) in changed {
            s.constraints.remove(&c);
            self.add_constraint(cx, s, r);
        }
    }
}

impl Splits {
    /// From what `t` is computed; `None` if that is more than [`FEW_BITS`] bits.
    fn computed(&mut self, terms: &Terms, places: &Places, t: Term) -> Option<Rc<Computed>> {
        let mut open = vec![t];
        while let Some(&t) = open.last() {
            if self.computed.contains_key(&t) {
                open.pop();
                continue;
            }
            let args = terms.args(t);
            let found = if let Some((symbol, low)) = part_of_symbol(terms, t) {
                match terms.sort(t) {
                    // Where an object lies matters to few values that are computed with addresses.
                    _ if places.is_place(symbol) => Some(Computed::default()),
                    Sort::Bv(bits) if low + bits <= u32::BITS && bits <= FEW_BITS => {
                        Some(Computed { bits: smallvec![(symbol, ((1 << bits) - 1) << low)], core: Some(t), size: 0 })
                    }
                    // What is read from unknown memory has been written before, mostly.
                    Sort::Array { .. } => Some(Computed::default()),
                    _ => None,
                }
            } else {
                // As soon as one operand depends on too much, so does the whole.
                let unknown = args.iter().copied().find(|a| !self.computed.contains_key(a));
                let is_too_much = args.iter().any(|a| matches!(self.computed.get(a), Some(None)));
                match unknown {
                    _ if is_too_much => None,
                    Some(arg) => {
                        open.push(arg);
                        continue;
                    }
                    None => joined(terms, args.iter().filter_map(|a| self.computed[a].as_deref())),
                }
            };
            self.computed.insert(t, found.map(Rc::new));
            open.pop();
        }
        self.computed[&t].clone()
    }
}

/// The symbol of which `t` is the whole or a part, and the number of bits below this part.
fn part_of_symbol(terms: &Terms, t: Term) -> Option<(Term, u32)> {
    match terms.kind(t) {
        Kind::Sym(_) => Some((t, 0)),
        Kind::Extract { lo, .. } => {
            let whole = terms.args(t)[0];
            matches!(terms.kind(whole), Kind::Sym(_)).then_some((whole, lo))
        }
        _ => None,
    }
}

/// From what an operation with such operands is computed.
fn joined<'a>(terms: &Terms, operands: impl Iterator<Item = &'a Computed>) -> Option<Computed> {
    let mut all = Computed { size: 1, ..Computed::default() };
    for operand in operands {
        all.size = all.size.saturating_add(operand.size);
        all.core = all.core.into_iter().chain(operand.core).max_by_key(|core| terms.width(*core));
        for &(symbol, bits) in &operand.bits {
            match all.bits.iter_mut().find(|(known, _)| *known == symbol) {
                Some((_, known)) => *known |= bits,
                None => all.bits.push((symbol, bits)),
            }
        }
    }
    let bits: u32 = all.bits.iter().map(|(_, bits)| bits.count_ones()).sum();
    (bits <= FEW_BITS).then_some(all)
}

/// The accesses of an operation that may lead to pointers.
fn accesses(terms: &Terms, pointer_bits: u32, op: &Op) -> Rc<[Access]> {
    let mut found = Vec::new();
    for t in terms.subterms(&op.terms(), |_| false) {
        let args = terms.args(t);
        let (address, value) = match terms.kind(t) {
            Kind::Read => (args[1], t),
            Kind::Write => (args[1], args[2]),
            _ => continue,
        };
        let is_wide = terms.width(value) == pointer_bits;
        let base = terms.base_offset(address).0;
        let follows_pointer = matches!(terms.kind(base), Kind::Var(_));
        if (is_wide || follows_pointer) && terms.width(address) == pointer_bits && terms.as_bv(address).is_none() {
            found.push(Access { address, value, follows_pointer });
        }
    }
    found.into()
}

/// The subterm of an address that decides which it is: a condition or a bit-vector. `None` if it is known, or if too much decides.
fn core(terms: &Terms, address: Term) -> Option<Term> {
    let mut at = address;
    loop {
        if terms.as_bv(at).is_some() || terms.is_known_address(at) {
            return None;
        }
        let args = terms.args(at);
        at = match terms.kind(at) {
            Kind::Ite => return Some(args[0]),
            // A sum with the place of an object, or with a constant.
            Kind::Bv(BvOp::Add) if terms.as_bv(args[1]).is_some() || terms.is_known_address(args[1]) => args[0],
            Kind::Bv(BvOp::Add) if terms.is_known_address(args[0]) => args[1],
            Kind::Bv(BvOp::Mul) if terms.as_bv(args[1]).is_some() => args[0],
            Kind::Concat if terms.as_bv(args[1]).is_some() => args[0],
            Kind::Zext | Kind::Sext => args[0],
            Kind::Read => return None,
            _ => return Some(at),
        };
    }
}

/// `t` with the values that the cases of a state say some of its subterms have.
pub(super) fn in_cases(terms: &mut Terms, cases: &[Term], t: Term) -> Term {
    cases.iter().fold(t, |t, case| {
        let decided = checker::decided(terms, *case);
        terms.substitute(t, &mut FxHashMap::from_iter([decided]), &mut |_, _| None)
    })
}

/// Whether `value` is the address of an object in this case.
fn is_pointer(terms: &mut Terms, pointer_bits: u32, case: Term, value: Term) -> bool {
    let value = in_cases(terms, &[case], value);
    let (begin, end) = PROGRAM_AREA[usize::from(pointer_bits >= 64)];
    match terms.as_u64(value) {
        Some(k) => (begin..end).contains(&k),
        None => terms.is_known_address(value),
    }
}

#[cfg(test)]
mod tests {
    use super::{FEW_BITS, Places, Splits};
    use cfa::bv::BvOp;
    use cfa::{Sort, Term, Terms};

    fn sum(terms: &mut Terms, parts: &[Term]) -> Term {
        let wide: Vec<Term> = parts.iter().map(|t| terms.zext(32, *t)).collect();
        wide.into_iter().reduce(|a, b| terms.bv_op(BvOp::Mul, a, b)).expect("there are parts")
    }

    #[test]
    fn bits_that_matter_are_counted_once() {
        let (mut terms, mut splits, places) = (Terms::default(), Splits::default(), Places::default());
        let [a, b] = ["a", "b"].map(|name| terms.fresh(name, Sort::Bv(FEW_BITS)));
        let (low, high, middle) = (terms.extract(3, 0, a), terms.extract(7, 4, a), terms.extract(5, 2, a));
        let of_one = sum(&mut terms, &[low, high, middle]);
        let found = splits.computed(&terms, &places, of_one).expect("it depends on one symbol");
        assert_eq!(found.bits.iter().map(|(t, bits)| (*t, bits.count_ones())).collect::<Vec<_>>(), [(a, FEW_BITS)]);
        assert_eq!(found.core.map(|core| terms.width(core)), Some(4));
        let of_two = sum(&mut terms, &[low, b]);
        assert!(splits.computed(&terms, &places, of_two).is_none());
        let bit = terms.extract(0, 0, b);
        let of_few = sum(&mut terms, &[low, bit]);
        let found = splits.computed(&terms, &places, of_few).expect("five bits");
        assert_eq!((found.core, found.bits.len()), (Some(low), 2));
    }

    #[test]
    fn places_do_not_count() {
        let (mut terms, mut splits, mut places) = (Terms::default(), Splits::default(), Places::default());
        let (place, bit) = (terms.fresh("place", Sort::Bv(47)), terms.fresh("bit", Sort::Bv(1)));
        let (place, bit) = (terms.zext(64, place), terms.zext(64, bit));
        let address = terms.add(place, bit);
        assert!(splits.computed(&terms, &places, address).is_none());
        splits = Splits::default();
        places.add(terms.args(place)[0]);
        assert_eq!(splits.computed(&terms, &places, address).expect("one bit").bits.len(), 1);
    }
}
