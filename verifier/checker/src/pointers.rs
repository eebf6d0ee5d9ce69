//! The check of a points-to solution and of the split of memory that was made by it.
//!
//! A solution claims for each variable, and for each part of each object, what it may point to. It is right if it is *closed*: whatever an
//! operation of a function that may be called makes of claimed values is claimed of what it writes. Then, by induction over the
//! steps of an execution, each address in it points to what is claimed, or the access is invalid. The check goes through all operations once,
//! computes what each term points to from what is claimed of variables and contents, and compares; it solves nothing, so that it shares nothing with
//! the analysis but the lattice of offsets (`cfa::offset`).
//!
//! What a value carries: an address plus a number carries its object, at an offset; what else is computed from an address carries the object
//! *mangled*; comparisons, truth values and values of less than 8 bits carry nothing, and what goes into such an operation is
//! *exposed*: an integer may become that address again, which is why everything from outside may point to it.
//!
//! The split is right if every access lies in the memory or variables that it was given to: all objects that its address may point to are
//! in that memory, or it is the one object of those variables, at one place. An address that may also lie outside the program must have been
//! tested before. Objects whose address is exposed must have no fixed one, or what is fixed is said.

use cfa::bv::BvOp;
use cfa::offset::{Offset, Pointee};
use cfa::pointers::{ContentClaim, Place, PointerClaims, SetId, SplitClaims};
use cfa::term::{Kind, Sort, Term};
use cfa::{Cfa, EdgeId, FuncId, Id, InputKind, ObjectId, ObjectKind, Op, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Values of fewer bits carry no pointers.
const CARRYING_BITS: u32 = 8;
/// Blocks of more bytes are copied as if their length were unknown.
const FIELDS_COPIED_BYTES: u64 = 256;
/// Terms this deep are not looked into for low bits that are zero.
const ZEROS_DEPTH: u32 = 8;

/// What is wrong with a solution, in words.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the points-to solution is wrong: {0}")]
pub struct NotClosed(pub String);

type Verdict = Result<(), NotClosed>;

/// How a pointee changes on its way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Flow {
    Plain,
    Plus(i64),
    /// An unknown multiple of 2^n is added.
    Multiple(u8),
    /// The value is a part of the address.
    Part,
    /// The value is computed from the address: what lies outside is not an address any more.
    Computed,
}

/// Checks that `claims` are closed under the operations of the raw graph `cfa`. Cost: linear in the operations, times the size of the sets.
pub fn check_pointers(cfa: &Cfa, claims: &PointerClaims) -> Verdict {
    let mut check = Check::new(cfa, claims)?;
    check.outside()?;
    if !check.is_reached(cfa.entry) {
        return Err(NotClosed("the entry function is not among those that may be called".into()));
    }
    for (e, edge) in cfa.edges.iter_enumerated() {
        if check.is_reached(cfa.locs[edge.from].func) {
            check
                .edge(e)
                .map_err(|NotClosed(why)| NotClosed(format!("{why} (edge {}, {})", e.index(), cfa.place(edge.span))))?;
        }
    }
    Ok(())
}

/// Checks that accesses lie where the split puts them, by `claims` that are closed.
pub fn check_split(cfa: &Cfa, claims: &PointerClaims, split: &SplitClaims) -> Verdict {
    let mut check = Check::new(cfa, claims)?;
    check.memories(split)?;
    for (e, edge) in cfa.edges.iter_enumerated() {
        if check.is_reached(cfa.locs[edge.from].func) {
            check
                .accesses(e, split)
                .map_err(|NotClosed(why)| NotClosed(format!("{why} (edge {}, {})", e.index(), cfa.place(edge.span))))?;
        }
    }
    Ok(())
}

struct Check<'a> {
    cfa: &'a Cfa,
    claims: &'a PointerClaims,
    memory: Option<VarId>,
    outside: Option<ObjectId>,
    /// Comparisons and subtractions of two pointers.
    compared: FxHashSet<Term>,
    /// The sets claimed, and behind them those that were computed, each once.
    sets: Vec<Vec<Pointee>>,
    numbers: FxHashMap<Vec<Pointee>, SetId>,
    values: FxHashMap<Term, SetId>,
    flowed: FxHashMap<(SetId, Flow), SetId>,
    covered: FxHashSet<(SetId, SetId)>,
    /// Terms whose effects have been checked.
    seen: FxHashSet<Term>,
}

impl<'a> Check<'a> {
    fn new(cfa: &'a Cfa, claims: &'a PointerClaims) -> Result<Check<'a>, NotClosed> {
        let ill_formed = |what: &str| NotClosed(format!("it is not about this program: {what}"));
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
        let compared = cfa.pointer_comparisons.keys().flat_map(|e| cfa.edges[*e].op.terms());
        let memory = cfa.edges.iter().find_map(|edge| match &edge.op {
            Op::Assign(list) => list.iter().map(|a| a.0).find(|v| matches!(cfa.vars[*v].sort, Sort::Array { .. })),
            _ => None,
        });
        Ok(Check {
            cfa,
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

    fn is_reached(&self, f: FuncId) -> bool {
        self.claims.reached[f.index()]
    }

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

    /// What `flow` makes of a set.
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

    /// That all of `s` is claimed in `by`; `what` says of what.
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

    /// What lies outside, and all that points there.
    fn outside_set(&self) -> SetId {
        self.outside.map_or(0, |o| self.claims.contents[o.index()].all)
    }

    /// What the outside knows, and that it can reach it.
    fn outside(&mut self) -> Verdict {
        let (known, exposed) = (self.claims.known, self.claims.exposed);
        self.within(exposed, known, || "what the outside knows".into())?;
        let Some(o) = self.outside else { return Ok(()) };
        let out = self.outside_set();
        let itself = self.set(vec![(o, Offset::ANY)]);
        self.within(itself, out, || "what lies outside".into())?;
        let declared = |(o, object): (ObjectId, &cfa::Object)| object.declared.then_some((o, Offset::exact(0)));
        let declared = self.cfa.objects.iter_enumerated().filter_map(declared).collect();
        let declared = self.set(declared);
        self.within(declared, known, || "what the outside knows".into())?;
        for (o, _) in self.claims.sets[known as usize].clone() {
            if matches!(self.cfa.objects[o].kind, ObjectKind::Function(_)) {
                continue;
            }
            let held = self.read_any(o);
            self.within(held, out, || "what lies outside".into())?;
            self.write_any(o, out)?;
        }
        Ok(())
    }

    // Contents.

    fn content(&self, o: ObjectId) -> &'a ContentClaim {
        &self.claims.contents[o.index()]
    }

    fn read_any(&mut self, o: ObjectId) -> SetId {
        let c = self.content(o);
        self.union(c.granules.iter().map(|g| g.1).chain(c.residues).chain([c.all]))
    }

    /// That `s` may lie anywhere in the object.
    fn write_any(&mut self, o: ObjectId, s: SetId) -> Verdict {
        let all = self.content(o).all;
        self.within(s, all, || format!("the content of {}", self.cfa.objects[o].name))
    }

    /// The granules that `bytes` bytes (`None`: an unknown number) from `at` behind a pointee cover, ascending; `Err`: any granule,
    /// or those of one residue. None of them: outside of the object.
    fn granules(
        &self,
        (o, offset): Pointee,
        at: u64,
        bytes: Option<u64>,
    ) -> Result<std::ops::RangeInclusive<u32>, Option<u32>> {
        let grid = self.claims.grid;
        let g = i64::from(grid.granule_bytes.max(1));
        let Some(bytes) = bytes.and_then(|n| i64::try_from(n).ok()) else { return Err(None) };
        let at = i64::try_from(at).unwrap_or(i64::MAX);
        if let Some(k) = offset.as_exact() {
            let end = self.cfa.objects[o].size_bytes.map_or(i64::MAX, |s| i64::try_from(s).unwrap_or(i64::MAX));
            let (lo, hi) = (k.saturating_add(at), k.saturating_add(at).saturating_add(bytes));
            let (lo, hi) = (lo.max(0), hi.min(end));
            let granule = |byte: i64| (byte / g).min(i64::from(grid.granules)) as u32;
            #[expect(clippy::reversed_empty_ranges, reason = "no granule is covered")]
            return Ok(if lo < hi { granule(lo)..=granule(hi - 1) } else { 1..=0 });
        }
        match offset.remainder() {
            Some(rem) if grid.period > 0 && grid.period <= 4 => {
                let first = i64::from(rem) + at;
                // One granule of the residue.
                if first % g + bytes <= g { Err(Some((first / g % i64::from(grid.period)) as u32)) } else { Err(None) }
            }
            _ => Err(None),
        }
    }

    fn holds(&self, residue: u32, granule: u32) -> bool {
        let grid = self.claims.grid;
        granule == grid.granules || (grid.period > 0 && granule % grid.period == residue)
    }

    /// What `bytes` bytes `at` bytes behind what `address` points to may hold.
    fn read(&mut self, address: SetId, at: u64, bytes: Option<u64>) -> SetId {
        let mut parts: Vec<SetId> = Vec::new();
        for i in 0..self.sets[address as usize].len() {
            let pointee = self.sets[address as usize][i];
            if matches!(self.cfa.objects[pointee.0].kind, ObjectKind::Function(_)) {
                continue;
            }
            let c = self.content(pointee.0);
            parts.push(c.all);
            let residues = 0..c.residues.len() as u32;
            match self.granules(pointee, at, bytes) {
                Ok(range) => {
                    parts.extend(c.granules.iter().filter(|(g, _)| range.contains(g)).map(|g| g.1));
                    let touched = |r: &u32| range.clone().any(|g| self.holds(*r, g));
                    parts.extend(residues.filter(touched).map(|r| c.residues[r as usize]));
                }
                Err(Some(residue)) => {
                    parts.extend(c.granules.iter().filter(|(g, _)| self.holds(residue, *g)).map(|g| g.1));
                    parts.push(c.residues[residue as usize]);
                    // The rest of the object is of every residue.
                    parts.extend(c.granules.iter().any(|(g, _)| *g == self.claims.grid.granules).then_some(0));
                }
                Err(None) => parts.extend(c.granules.iter().map(|g| g.1).chain(c.residues)),
            }
        }
        self.union(parts)
    }

    /// That `value` may lie in `bytes` bytes `at` bytes behind what `address` points to.
    fn write(&mut self, address: SetId, at: u64, bytes: Option<u64>, value: SetId) -> Verdict {
        if value == 0 {
            return Ok(());
        }
        for i in 0..self.sets[address as usize].len() {
            let pointee = self.sets[address as usize][i];
            if matches!(self.cfa.objects[pointee.0].kind, ObjectKind::Function(_)) {
                continue;
            }
            let c = self.content(pointee.0);
            let name = || format!("the content of {}", self.cfa.objects[pointee.0].name);
            match self.granules(pointee, at, bytes) {
                Ok(range) => {
                    for g in range {
                        let own = c.granules.iter().find(|(h, _)| *h == g).map_or(0, |g| g.1);
                        let residues: Vec<SetId> =
                            (0..4).filter(|r| self.holds(*r, g)).map(|r| c.residues[r as usize]).collect();
                        let there = self.union(residues.into_iter().chain([own, c.all]));
                        let name = name();
                        self.within(value, there, || name)?;
                    }
                }
                Err(Some(residue)) => {
                    let there = self.union([c.residues[residue as usize], c.all]);
                    let name = name();
                    self.within(value, there, || name)?;
                }
                Err(None) => {
                    let name = name();
                    self.within(value, c.all, || name)?;
                }
            }
        }
        Ok(())
    }

    // Terms.

    /// What the value of `t` may point to.
    fn value(&mut self, t: Term) -> SetId {
        if let Some(known) = self.values.get(&t) {
            return *known;
        }
        // Arguments have smaller ids than their users.
        let missing = self.cfa.terms.subterms(&[t], |u| self.values.contains_key(&u));
        for u in missing {
            let s = match self.cfa.terms.sort(u) {
                Sort::Bv(w) if w >= CARRYING_BITS => self.computed(u, w),
                _ => 0,
            };
            self.values.insert(u, s);
        }
        self.values[&t]
    }

    /// What `t` may point to, whose arguments are known.
    fn computed(&mut self, t: Term, width: u32) -> SetId {
        let cfa = self.cfa;
        let args = cfa.terms.args(t);
        let of = |check: &Self, a: Term| check.values.get(&a).copied().unwrap_or(0);
        let is_address = width == cfa.pointer_bits;
        match cfa.terms.kind(t) {
            Kind::Var(v) => self.claims.of_var(v),
            Kind::Addr(o) if Some(o) == self.outside => self.outside_set(),
            Kind::Addr(o) => self.set(vec![(o, Offset::exact(0))]),
            Kind::Bv(BvOp::Add) if is_address => {
                let (a, b) = (args[0], args[1]);
                let (sa, sb) = (of(self, a), of(self, b));
                let plus = cfa.terms.as_bv(b).and_then(|k| k.sext(64.max(width)).to_u64());
                let flow = plus.map_or_else(|| self.multiple_of(b), |k| Flow::Plus(k as i64));
                let (sa, sb) = (self.flow(sa, flow), self.flow(sb, self.multiple_of(a)));
                self.union([sa, sb])
            }
            Kind::Bv(BvOp::Sub) if is_address => {
                let (sa, sb) = (of(self, args[0]), of(self, args[1]));
                if !self.difference_carries(sa, sb, self.compared.contains(&t)) {
                    return 0;
                }
                let (sa, sb) = (self.flow(sa, self.multiple_of(args[1])), self.flow(sb, Flow::Part));
                self.union([sa, sb])
            }
            Kind::Ite => {
                let flow = if is_address { Flow::Plain } else { Flow::Part };
                let (a, b) = (of(self, args[1]), of(self, args[2]));
                let (a, b) = (self.flow(a, flow), self.flow(b, flow));
                self.union([a, b])
            }
            Kind::Read => {
                let held = self.read(of(self, args[1]), 0, Some(u64::from(width.div_ceil(8))));
                self.flow(held, if is_address { Flow::Plain } else { Flow::Part })
            }
            Kind::Concat => {
                let (a, b) = (of(self, args[0]), of(self, args[1]));
                let (a, b) = (self.flow(a, Flow::Part), self.flow(b, Flow::Part));
                self.union([a, b])
            }
            Kind::Extract { .. } | Kind::Zext | Kind::Sext
                if width.min(cfa.terms.width(args[0])) >= cfa.pointer_bits =>
            {
                self.flow(of(self, args[0]), Flow::Part)
            }
            Kind::Bv(_) | Kind::BvNot | Kind::BvNeg | Kind::Extract { .. } | Kind::Zext | Kind::Sext => {
                let parts: Vec<SetId> = args.iter().map(|a| of(self, *a)).collect();
                let parts: Vec<SetId> = parts.into_iter().map(|s| self.flow(s, Flow::Computed)).collect();
                self.union(parts)
            }
            _ => 0,
        }
    }

    /// Whether a difference of two values says where an object lies: not if both point into one object, and not if it is marked as one of
    /// pointers, which is an input where they may lie apart.
    fn difference_carries(&self, a: SetId, b: SetId, marked: bool) -> bool {
        let (a, b) = (self.sets[a as usize].as_slice(), self.sets[b as usize].as_slice());
        let mangled = |s: &[Pointee]| s.iter().any(|p| p.1.is_mangled());
        let (inner_a, inner_b): (Vec<Pointee>, Vec<Pointee>) = {
            let keep = |s: &[Pointee]| s.iter().copied().filter(|p| Some(p.0) != self.outside).collect();
            (keep(a), keep(b))
        };
        match (inner_a.first(), inner_b.first()) {
            (None, None) => false,
            _ if mangled(a) || mangled(b) => true,
            (None, _) | (_, None) => true,
            (Some(x), Some(y)) => {
                let one = inner_a.iter().chain(&inner_b).all(|p| p.0 == x.0) && x.0 == y.0;
                !one && !marked
            }
        }
    }

    fn multiple_of(&self, t: Term) -> Flow {
        Flow::Multiple(self.zeros(t, 0))
    }

    /// Low bits of `t` that surely are zero.
    fn zeros(&self, t: Term, depth: u32) -> u8 {
        let terms = &self.cfa.terms;
        if depth > ZEROS_DEPTH {
            return 0;
        }
        if let Some(v) = terms.as_bv(t) {
            return v.to_u64().map_or(0, |v| v.trailing_zeros() as u8);
        }
        let args = terms.args(t);
        let of = |i: usize| self.zeros(args[i], depth + 1);
        match terms.kind(t) {
            // It lies at address 0.
            Kind::Addr(o) if Some(o) == self.outside => 64,
            Kind::Bv(BvOp::Mul) => (of(0) + of(1)).min(64),
            Kind::Bv(BvOp::And) => of(0).max(of(1)),
            Kind::Bv(BvOp::Add | BvOp::Sub | BvOp::Or | BvOp::Xor) => of(0).min(of(1)),
            Kind::Bv(BvOp::Shl) | Kind::BvNeg | Kind::Zext | Kind::Sext | Kind::Extract { lo: 0, .. } => of(0),
            Kind::Ite => of(1).min(of(2)),
            Kind::Concat => {
                let (low, width) = (of(1), terms.width(args[1]) as u8);
                if low >= width { (width + of(0)).min(64) } else { low }
            }
            _ => 0,
        }
    }

    // Operations.

    fn copy_flow(&self, from: u32, to: u32) -> Flow {
        if from == self.cfa.pointer_bits && to == from { Flow::Plain } else { Flow::Part }
    }

    /// That `v` may hold a value of `t`.
    fn assigned(&mut self, t: Term, v: VarId) -> Verdict {
        let cfa = self.cfa;
        let (Sort::Bv(from), Sort::Bv(to)) = (cfa.terms.sort(t), cfa.vars[v].sort) else { return Ok(()) };
        if from < CARRYING_BITS || to < CARRYING_BITS {
            return Ok(());
        }
        let s = self.value(t);
        let s = self.flow(s, self.copy_flow(from, to));
        self.within(s, self.claims.of_var(v), || cfa.vars[v].name.clone())
    }

    fn edge(&mut self, e: EdgeId) -> Verdict {
        let cfa = self.cfa;
        let op = &cfa.edges[e].op;
        let allocation = cfa.allocations.get(&e);
        let mut roots = op.terms();
        roots.extend(cfa.opaque_args.get(&e).into_iter().flatten());
        roots.extend(cfa.escapes.get(&e).into_iter().flatten());
        roots.extend(cfa.given_away.get(&e).into_iter().flatten().map(|g| g.0));
        roots.extend(cfa.frees.get(&e));
        roots.extend(allocation.map(|a| a.size));
        self.effects(&roots)?;
        for &(t, is_address) in cfa.given_away.get(&e).into_iter().flatten() {
            let s = self.value(t);
            let s = if is_address { self.read(s, 0, None) } else { s };
            let s = self.flow(s, Flow::Part);
            self.within(s, self.claims.exposed, || "what is exposed".into())?;
        }
        if let Some(given) = cfa.escapes.get(&e) {
            self.escape(given)?;
        }
        match op {
            Op::Assign(list) => {
                for &(v, t) in list {
                    match allocation {
                        Some(a) if a.var == v => {
                            let new = self.set(vec![(a.object, Offset::exact(0))]);
                            self.within(new, self.claims.of_var(v), || cfa.vars[v].name.clone())?;
                        }
                        _ => self.assigned(t, v)?,
                    }
                }
                Ok(())
            }
            Op::Input { var, kind } if Some(*var) != self.memory && comes_from_outside(kind) => {
                match cfa.vars[*var].sort {
                    Sort::Array { .. } => {
                        self.within(self.outside_set(), self.claims.of_var(*var), || cfa.vars[*var].name.clone())
                    }
                    _ => Ok(()),
                }
            }
            Op::Call(f) if !self.is_reached(*f) => Err(NotClosed(format!("{} may be called", cfa.funcs[*f].name))),
            Op::CallIndirect(call) => self.indirect_call(e, call),
            _ => Ok(()),
        }
    }

    fn indirect_call(&mut self, e: EdgeId, call: &cfa::IndirectCall) -> Verdict {
        let cfa = self.cfa;
        let target = self.value(call.target);
        let callees = self.claims.callees.get(&e).map_or(&[][..], |c| c);
        for (o, _) in self.sets[target as usize].clone() {
            match cfa.objects[o].kind {
                ObjectKind::Outside if !self.claims.open_calls.contains(&e) => {
                    return Err(NotClosed("the call may leave the program".into()));
                }
                ObjectKind::Function(f) if !callees.contains(&f) || !self.is_reached(f) => {
                    return Err(NotClosed(format!("{} may be called", cfa.funcs[f].name)));
                }
                _ => {}
            }
        }
        for f in callees {
            let func = cfa.funcs.get(*f).ok_or_else(|| NotClosed("a function does not exist".into()))?;
            for (&arg, &param) in call.args.iter().zip(&func.params) {
                self.assigned(arg, param)?;
            }
            if let (Some(area), Some(var)) = (call.varargs, func.varargs) {
                self.assigned(area, var)?;
            }
            if let (Some(from), Some(to)) = (func.result, call.result)
                && let (Sort::Bv(wf), Sort::Bv(wt)) = (cfa.vars[from].sort, cfa.vars[to].sort)
                && wf.min(wt) >= CARRYING_BITS
            {
                let s = self.flow(self.claims.of_var(from), self.copy_flow(wf, wt));
                self.within(s, self.claims.of_var(to), || cfa.vars[to].name.clone())?;
            }
        }
        Ok(())
    }

    /// That the outside knows what an undefined function that changes memory is given, and what it can name.
    fn escape(&mut self, given: &[Term]) -> Verdict {
        let known = self.claims.known;
        let shared = self.cfa.objects.iter_enumerated().filter(|(_, o)| o.shared).map(|(o, _)| (o, Offset::exact(0)));
        let shared = shared.collect();
        let mut all = vec![self.set(shared)];
        let out = self.outside_set();
        all.push(self.flow(out, Flow::Part));
        for t in given {
            let s = self.value(*t);
            all.push(self.flow(s, Flow::Part));
        }
        all.into_iter().try_for_each(|s| self.within(s, known, || "what the outside knows".into()))
    }

    /// Checks what the subterms of `roots` write, and what they expose.
    fn effects(&mut self, roots: &[Term]) -> Verdict {
        let subterms = self.cfa.terms.subterms(roots, |t| self.seen.contains(&t));
        self.seen.extend(&subterms);
        for t in subterms {
            match self.cfa.terms.kind(t) {
                Kind::Write => self.written(t)?,
                Kind::Copy => self.copied(t)?,
                _ => {}
            }
            self.exposure(t)?;
        }
        Ok(())
    }

    fn written(&mut self, t: Term) -> Verdict {
        let terms = &self.cfa.terms;
        let args = terms.args(t);
        let width = terms.width(args[2]);
        let (address, value) = (self.value(args[1]), self.value(args[2]));
        let value = self.flow(value, if width == self.cfa.pointer_bits { Flow::Plain } else { Flow::Part });
        self.write(address, 0, Some(u64::from(width.div_ceil(8))), value)
    }

    fn copied(&mut self, t: Term) -> Verdict {
        let cfa = self.cfa;
        let &[_, to, source, from, len] = cfa.terms.args(t) else { return Ok(()) };
        let (to, from) = (self.value(to), self.value(from));
        for base in bases(cfa, source) {
            match cfa.terms.kind(base) {
                Kind::Var(v) if Some(v) == self.memory => {
                    let granule = u64::from(cfa.pointer_bits / 8).max(1);
                    match cfa.terms.as_u64(len) {
                        Some(n) if n <= FIELDS_COPIED_BYTES => {
                            for at in (0..n).step_by(granule as usize) {
                                let bytes = Some(granule.min(n - at));
                                let held = self.read(from, at, bytes);
                                self.write(to, at, bytes, held)?;
                            }
                        }
                        _ => {
                            let held = self.read(from, 0, None);
                            self.write(to, 0, None, held)?;
                        }
                    }
                }
                Kind::Var(v) => {
                    let s = self.flow(self.claims.of_var(v), Flow::Part);
                    self.write(to, 0, None, s)?;
                }
                Kind::ConstArray => {
                    let value = self.value(cfa.terms.args(base)[0]);
                    let value = self.flow(value, Flow::Part);
                    self.write(to, 0, None, value)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// That what `t` looks at as a number is claimed to be exposed.
    fn exposure(&mut self, t: Term) -> Verdict {
        let cfa = self.cfa;
        let args = cfa.terms.args(t);
        match cfa.terms.kind(t) {
            Kind::Cmp(_) if self.compared.contains(&t) => args.iter().try_for_each(|a| self.exposed(*a, true)),
            Kind::Bv(BvOp::Add | BvOp::Sub) if cfa.terms.width(t) == cfa.pointer_bits => {
                let outside = self.outside;
                let is_outside = |t: Term| matches!(cfa.terms.kind(t), Kind::Addr(o) if Some(o) == outside);
                let of_objects = |check: &mut Self, t: Term| {
                    let s = check.value(t);
                    check.sets[s as usize].iter().any(|p| Some(p.0) != outside)
                };
                let sum = !is_outside(args[0]) && !is_outside(args[1]) && !self.compared.contains(&t);
                if sum && of_objects(self, args[0]) && of_objects(self, args[1]) {
                    args.iter().try_for_each(|a| self.exposed(*a, false))?;
                }
                Ok(())
            }
            Kind::Extract { .. } if cfa.terms.width(t) >= cfa.pointer_bits => Ok(()),
            Kind::Bv(_) | Kind::Cmp(_) | Kind::BvNot | Kind::Extract { .. } | Kind::Float(..) => {
                args.iter().try_for_each(|a| self.exposed(*a, false))
            }
            Kind::Eq => args.iter().try_for_each(|a| self.exposed(*a, true)),
            Kind::Read | Kind::Write => self.exposed(args[1], true),
            _ => Ok(()),
        }
    }

    fn exposed(&mut self, t: Term, only_mangled: bool) -> Verdict {
        let s = self.value(t);
        let looked_at = self.sets[s as usize].iter().filter(|p| !only_mangled || p.1.is_mangled());
        let looked_at = looked_at.map(|p| (p.0, Offset::MANGLED)).collect();
        let s = self.set(looked_at);
        self.within(s, self.claims.exposed, || "what is exposed".into())
    }

    // The split of memory.

    fn is_data(&self, o: ObjectId) -> bool {
        !matches!(self.cfa.objects[o].kind, ObjectKind::Function(_) | ObjectKind::Outside)
    }

    /// That no object lies in two places, and that objects whose address is exposed have none that is fixed.
    fn memories(&self, split: &SplitClaims) -> Verdict {
        let mut of: FxHashMap<ObjectId, &Place> = FxHashMap::default();
        for place in split.places.values() {
            let (objects, alone) = match place {
                Place::Nowhere => (&[][..], false),
                Place::Memory(list) => (&list[..], false),
                Place::Variables { object, .. } => (std::slice::from_ref(object), true),
            };
            for o in objects {
                let other = of.entry(*o).or_insert(place);
                let same = *other == place || (alone && matches!(other, Place::Variables { .. }));
                if !same {
                    return Err(NotClosed(format!("{} lies in two memories", self.cfa.objects[*o].name)));
                }
            }
        }
        let fixed = |p: &&Pointee| Some(p.0) != self.outside && split.free.binary_search(&p.0).is_err();
        match self.claims.sets[self.claims.exposed as usize].iter().find(fixed) {
            Some((o, _)) => Err(NotClosed(format!("the address of {} is fixed", self.cfa.objects[*o].name))),
            None => Ok(()),
        }
    }

    fn accesses(&mut self, e: EdgeId, split: &SplitClaims) -> Verdict {
        let cfa = self.cfa;
        let mut roots = cfa.edges[e].op.terms();
        roots.extend(cfa.frees.get(&e));
        roots.extend(cfa.allocations.get(&e).map(|a| a.size));
        let subterms = cfa.terms.subterms(&roots, |t| self.seen.contains(&t));
        self.seen.extend(&subterms);
        for t in subterms {
            let args = cfa.terms.args(t);
            let memory = self.memory;
            let of_memory =
                |m: Term| bases(cfa, m).iter().any(|b| memory.is_some_and(|v| cfa.terms.kind(*b) == Kind::Var(v)));
            let bytes = |value: Term| Some(u64::from(cfa.terms.width(value) / 8));
            match cfa.terms.kind(t) {
                Kind::Read if of_memory(args[0]) => self.access(args[1], bytes(t), split)?,
                Kind::Write => self.access(args[1], bytes(args[2]), split)?,
                Kind::Copy => {
                    let len = cfa.terms.as_u64(args[4]);
                    self.access(args[1], len, split)?;
                    if of_memory(args[2]) {
                        self.access(args[3], len, split)?;
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// That an access of `bytes` bytes at `address` lies where the split says.
    fn access(&mut self, address: Term, bytes: Option<u64>, split: &SplitClaims) -> Verdict {
        if bytes == Some(0) {
            return Ok(());
        }
        let cfa = self.cfa;
        let s = self.value(address);
        let mut pointees = self.sets[s as usize].clone();
        let outside = pointees.iter().any(|p| Some(p.0) == self.outside);
        if outside {
            // What the outside knows, at any offset.
            pointees.extend(self.claims.sets[self.claims.known as usize].iter().map(|p| (p.0, Offset::ANY)));
        }
        pointees.retain(|p| self.is_data(p.0));
        let wrong = |what: String| Err(NotClosed(what));
        if outside && !pointees.is_empty() {
            let base = cfa.terms.base_offset(address).0;
            if !split.tested.iter().any(|t| cfa.terms.base_offset(*t).0 == base) {
                return wrong("an address that may lie outside the program is not tested".into());
            }
        }
        let Some(place) = split.places.get(&(address, bytes)) else {
            return wrong("an access has no place".into());
        };
        let name = |o: ObjectId| &cfa.objects[o].name;
        match place {
            Place::Nowhere => match pointees.first() {
                Some((o, _)) => wrong(format!("an access of {} has no memory", name(*o))),
                None => Ok(()),
            },
            Place::Memory(objects) => match pointees.iter().find(|p| objects.binary_search(&p.0).is_err()) {
                Some((o, _)) => wrong(format!("an access of {} is one of another memory", name(*o))),
                None => Ok(()),
            },
            Place::Variables { object, offset } => {
                let last = bytes.and_then(|n| cfa.objects[*object].size_bytes?.checked_sub(n));
                let Some(last) = last else { return wrong(format!("an access is longer than {}", name(*object))) };
                for (o, at) in pointees {
                    if o != *object {
                        return wrong(format!("an access of {} is taken as one of {}", name(o), name(*object)));
                    }
                    if !only(at, *offset, last) {
                        return wrong(format!("an access of {} may lie elsewhere in it", name(o)));
                    }
                }
                Ok(())
            }
        }
    }
}

/// Whether `wanted` is the only offset up to `last` that `at` describes.
fn only(at: Offset, wanted: u64, last: u64) -> bool {
    if let Some(k) = at.as_exact() {
        return u64::try_from(k).map_or(true, |k| k == wanted || k > last);
    }
    // A congruence modulo at most 16 repeats.
    (0..=last.min(64)).all(|k| k == wanted || !at.admits(k as i64)) && (last <= 64 || !(0..16).any(|k| at.admits(k)))
}

/// Variables and constant arrays that a memory term starts from.
fn bases(cfa: &Cfa, memory: Term) -> Vec<Term> {
    let (mut stack, mut seen, mut found) = (vec![memory], FxHashSet::default(), Vec::new());
    while let Some(m) = stack.pop() {
        if !seen.insert(m) {
            continue;
        }
        match cfa.terms.kind(m) {
            Kind::Write | Kind::Copy => stack.push(cfa.terms.args(m)[0]),
            Kind::Ite => stack.extend(&cfa.terms.args(m)[1..]),
            _ => found.push(m),
        }
    }
    found
}

/// Whether such an input is bytes that somebody else chose.
fn comes_from_outside(kind: &InputKind) -> bool {
    match kind {
        InputKind::Program(_) | InputKind::External(_) | InputKind::Library(_) | InputKind::Approximate(_) => true,
        InputKind::Uninitialised | InputKind::Undefined | InputKind::Layout => false,
    }
}
