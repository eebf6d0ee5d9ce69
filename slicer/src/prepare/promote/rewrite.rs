//! Rewriting of terms over the program's one memory to terms over the regions' memories and the promoted variables.
//!
//! A memory term (a chain of writes and copies) is *projected*: either to one region, for which it keeps the writes to that
//! region, or to one variable of a promoted object, for which it becomes a scalar term. A read becomes a read of the
//! projection to its region. Points-to sets belong to the original terms, so rewriting is indexed by original terms. It
//! proceeds from inner to outer terms on an explicit stack. Arrays other than the program's memory are set by inputs only; they
//! are called *arbitrary arrays*.

use crate::points_to::memory_bases;
use crate::prepare::promote::plan::{Cluster, Plan};
use crate::prepare::regions::{Access, Regions};
use cfa::bytes::Bytes;
use cfa::term::{Kind, Sort, Term};
use cfa::{Cfa, VarId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::ops::Range;

/// A request for the rewriting of an original term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Wanted {
    /// The value of a scalar term.
    Value(Term),
    /// The memory term projected to a region that has a memory.
    Memory(Term, u32),
    /// The memory term projected to a variable: the region, and the index of the cluster.
    Cell(Term, u32, u32),
}

/// An arbitrary value that operations cannot express directly; it becomes an input of the edge that needs it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Arbitrary {
    /// The value that a read yields whose address points to no object.
    InvalidRead(Term),
    /// The value that a read of an arbitrary array yields, where it is only written to memory.
    Read(Term),
    /// The part of a promoted variable that a copy from an arbitrary array sets: the copy, the region, the cluster.
    Forgotten(Term, u32, u32),
}

/// Rewrites terms by a plan.
pub(super) struct Rewriter<'a> {
    memory: Option<VarId>,
    regions: &'a Regions,
    plan: &'a Plan,
    cell_bits: &'a [u32],
    region_vars: Vec<Option<VarId>>,
    /// Variants of arbitrary arrays with wide cells, by variable and cell width in bits.
    wide_arrays: FxHashMap<(VarId, u32), VarId>,
    /// The width of the cells of vectors of addresses: that of the memories into which they are copied.
    vector_bits: FxHashMap<VarId, u32>,
    /// The variables of arbitrary values.
    arbitrary: FxHashMap<Arbitrary, VarId>,
    done: FxHashMap<Wanted, Term>,
    missing: Vec<Wanted>,
    /// The bytes of their blocks that accesses of heap memory touch, by their original address and their length.
    fields: FxHashMap<(Term, u64), Bytes>,
}

/// The arguments of a copy.
struct Copy {
    dst: Term,
    to: Term,
    source: Term,
    from: Term,
    len: Term,
}

impl<'a> Rewriter<'a> {
    /// A rewriter for the regions and the plan; cells of region `r` have `cell_bits[r]` bits. `fields` are the bytes of their blocks that accesses
    /// of heap memory touch, by their address and length. Vectors of addresses have cells of `vector_bits` bits.
    pub(super) fn new(
        memory: Option<VarId>,
        regions: &'a Regions,
        plan: &'a Plan,
        cell_bits: &'a [u32],
        fields: FxHashMap<(Term, u64), Bytes>,
        vector_bits: FxHashMap<VarId, u32>,
    ) -> Self {
        Rewriter {
            memory,
            regions,
            plan,
            cell_bits,
            region_vars: vec![None; regions.regions.len()],
            wide_arrays: FxHashMap::default(),
            vector_bits,
            arbitrary: FxHashMap::default(),
            done: FxHashMap::default(),
            missing: Vec::new(),
            fields,
        }
    }

    /// Records which bytes of blocks an access of region `r` touches, whose address was rewritten.
    fn note_field(&self, cfa: &mut Cfa, r: u32, (original, bytes): (Term, Option<u64>), rewritten: Term) {
        let Some(n) = bytes else { return };
        if let (Some(&field), Some(memory)) = (self.fields.get(&(original, n)), self.region_vars[r as usize]) {
            cfa.memory.fields.insert((memory, rewritten, n), field);
        }
    }

    /// Rewrites a term.
    pub(super) fn rewrite(&mut self, cfa: &mut Cfa, wanted: Wanted) -> Term {
        if let Some(t) = self.unchanged(wanted) {
            return t;
        }
        let mut stack = vec![wanted];
        while let Some(&top) = stack.last() {
            if self.done.contains_key(&top) {
                stack.pop();
                continue;
            }
            self.missing.clear();
            match self.step(cfa, top) {
                Some(t) => {
                    self.done.insert(top, t);
                    stack.pop();
                }
                None => {
                    debug_assert!(!self.missing.is_empty(), "no progress at {top:?}");
                    stack.append(&mut self.missing);
                }
            }
        }
        self.done[&wanted]
    }

    /// The memory of a region.
    pub(super) fn region_var(&mut self, cfa: &mut Cfa, r: u32) -> VarId {
        if let Some(v) = self.region_vars[r as usize] {
            return v;
        }
        let objects = &self.regions.regions[r as usize].objects;
        let base = match objects[..] {
            [o] => format!("mem.{}", cfa.objects[o].name),
            _ => format!("mem.{}.and{}", cfa.objects[objects[0]].name, objects.len() - 1),
        };
        let sort = Sort::Array { index: cfa.pointer_bits, elem: self.cell_bits[r as usize] };
        let v = cfa.add_var(base, sort, cfa::Scope::Global);
        self.region_vars[r as usize] = Some(v);
        let mut held = objects.clone();
        held.sort_unstable();
        cfa.memory.objects.insert(v, held);
        v
    }

    /// The number of memories made so far.
    pub(super) fn memories(&self) -> usize {
        self.region_vars.iter().flatten().count()
    }

    /// The variables that an input of the arbitrary array `v` must set: one for each cell width in use.
    pub(super) fn variants(&self, v: VarId) -> Vec<VarId> {
        let mut found: Vec<VarId> = self.wide_arrays.iter().filter(|((w, _), _)| *w == v).map(|(_, x)| *x).collect();
        found.sort_unstable();
        found
    }

    /// The variable of the input that stands for `a`.
    pub(super) fn arbitrary_var(&mut self, cfa: &mut Cfa, a: Arbitrary) -> VarId {
        if let Some(&v) = self.arbitrary.get(&a) {
            return v;
        }
        let (name, width) = match a {
            Arbitrary::InvalidRead(t) => ("invalid", cfa.terms.width(t)),
            Arbitrary::Read(t) => ("arbitrary", cfa.terms.width(t)),
            Arbitrary::Forgotten(_, r, c) => {
                let cluster = self.cluster(r, c);
                ("forgotten", 8 * (cluster.hi - cluster.lo) as u32)
            }
        };
        let v = cfa.add_var(format!("{name}#{}", self.arbitrary.len()), Sort::Bv(width), cfa::Scope::Global);
        self.arbitrary.insert(a, v);
        v
    }

    /// The value of the write `m`, if it is a read of an arbitrary array: any value.
    fn arbitrary_value(&self, cfa: &Cfa, m: Term) -> Option<Arbitrary> {
        let value = cfa.terms.args(m)[2];
        let arbitrary = cfa.terms.kind(value) == Kind::Read && self.regions.access(value).is_none();
        arbitrary.then_some(Arbitrary::Read(value))
    }

    /// The value that the write `m` writes.
    fn written_value(&mut self, cfa: &mut Cfa, m: Term) -> Option<Term> {
        if let Some(arbitrary) = self.arbitrary_value(cfa, m) {
            let v = self.arbitrary_var(cfa, arbitrary);
            return Some(cfa.var_term(v));
        }
        self.need(Wanted::Value(cfa.terms.args(m)[2]))
    }

    fn cluster(&self, r: u32, c: u32) -> Cluster {
        self.plan.promoted[r as usize].as_ref().expect("a promoted region").clusters[c as usize]
    }

    /// The rewritten term if it is done; otherwise records it as missing.
    fn need(&mut self, wanted: Wanted) -> Option<Term> {
        let found = self.unchanged(wanted).or_else(|| self.done.get(&wanted).copied());
        if found.is_none() {
            self.missing.push(wanted);
        }
        found
    }

    /// The term itself, if it has nothing to do with memory.
    fn unchanged(&self, wanted: Wanted) -> Option<Term> {
        match wanted {
            Wanted::Value(t) if !self.regions.array_terms.may_have(t) => Some(t),
            _ => None,
        }
    }

    fn step(&mut self, cfa: &mut Cfa, wanted: Wanted) -> Option<Term> {
        match wanted {
            Wanted::Value(t) => self.value(cfa, t),
            Wanted::Memory(m, r) => self.memory(cfa, m, r),
            Wanted::Cell(m, r, c) => self.cell(cfa, m, r, c),
        }
    }

    fn value(&mut self, cfa: &mut Cfa, t: Term) -> Option<Term> {
        let args: SmallVec<[Term; 3]> = SmallVec::from_slice(cfa.terms.args(t));
        if cfa.terms.kind(t) == Kind::Read {
            return self.read(cfa, t, args[0], args[1]);
        }
        let mut new: SmallVec<[Term; 3]> = SmallVec::new();
        let mut ready = true;
        for a in args {
            match self.need(Wanted::Value(a)) {
                Some(a) => new.push(a),
                None => ready = false,
            }
        }
        ready.then(|| cfa.terms.rebuild(t, &new))
    }

    fn read(&mut self, cfa: &mut Cfa, t: Term, m: Term, address: Term) -> Option<Term> {
        let width = cfa.terms.width(t);
        let Some(access) = self.regions.access(t).copied() else {
            // A read of an arbitrary array.
            if let Kind::Var(v) = cfa.terms.kind(m)
                && let Some(&bits) = self.vector_bits.get(&v)
            {
                let address = self.need(Wanted::Value(address))?;
                let v = self.array_variant(cfa, v, bits);
                let vector = cfa.var_term(v);
                return Some(cfa.terms.read(vector, address, width));
            }
            for base in memory_bases(cfa, m) {
                if let Kind::Var(v) = cfa.terms.kind(base) {
                    self.wide_arrays.insert((v, 8), v);
                }
            }
            let address = self.need(Wanted::Value(address))?;
            return Some(cfa.terms.read(m, address, width));
        };
        match access.region {
            None => {
                let v = self.arbitrary_var(cfa, Arbitrary::InvalidRead(t));
                Some(cfa.var_term(v))
            }
            Some(r) if self.plan.promoted(&access).is_some() => {
                let lo = self.plan.offset(&access);
                self.bytes(cfa, m, r, lo..lo + u64::from(width / 8))
            }
            Some(r) => {
                let (m, at) = (self.need(Wanted::Memory(m, r)), self.need(Wanted::Value(address)));
                let (m, at) = (m?, at?);
                self.note_field(cfa, r, (address, Some(u64::from(width / 8))), at);
                Some(cfa.terms.read(m, at, width))
            }
        }
    }

    /// The bytes `range` of a promoted object, in memory `m`.
    fn bytes(&mut self, cfa: &mut Cfa, m: Term, r: u32, range: Range<u64>) -> Option<Term> {
        let plan = self.plan;
        let promoted = plan.promoted[r as usize].as_ref().expect("a promoted region");
        let mut whole: Option<Term> = None;
        let mut at = range.start;
        let mut ready = true;
        let mut append = |cfa: &mut Cfa, part: Term| {
            whole = Some(match whole {
                None => part,
                Some(low) => cfa.terms.concat(part, low),
            });
        };
        for c in promoted.overlapping(range.start, range.end) {
            let cluster = promoted.clusters[c];
            debug_assert!(cluster.lo <= at, "bytes that are read belong to a variable");
            let end = cluster.hi.min(range.end);
            match self.need(Wanted::Cell(m, r, c as u32)) {
                Some(t) => {
                    let part = cfa.terms.extract(8 * (end - cluster.lo) as u32 - 1, 8 * (at - cluster.lo) as u32, t);
                    append(cfa, part);
                }
                None => ready = false,
            }
            at = end;
        }
        debug_assert_eq!(at, range.end, "bytes that are read belong to a variable");
        if ready { whole } else { None }
    }

    fn copy_args(cfa: &Cfa, m: Term) -> Copy {
        let [dst, to, source, from, len] = *cfa.terms.args(m) else { unreachable!("copy has five arguments") };
        Copy { dst, to, source, from, len }
    }

    /// Skips writes and copies to other regions.
    fn relevant(&self, cfa: &Cfa, mut m: Term, r: u32) -> Term {
        while matches!(cfa.terms.kind(m), Kind::Write | Kind::Copy)
            && self.regions.access(m).is_some_and(|a| a.region != Some(r))
        {
            m = cfa.terms.args(m)[0];
        }
        m
    }

    fn memory(&mut self, cfa: &mut Cfa, m: Term, r: u32) -> Option<Term> {
        let m = self.relevant(cfa, m, r);
        let args: Vec<Term> = cfa.terms.args(m).to_vec();
        match cfa.terms.kind(m) {
            Kind::Var(v) if Some(v) == self.memory => {
                let v = self.region_var(cfa, r);
                Some(cfa.var_term(v))
            }
            Kind::Var(v) => {
                let v = self.array_variant(cfa, v, self.cell_bits[r as usize]);
                Some(cfa.var_term(v))
            }
            Kind::ConstArray => {
                let value = self.need(Wanted::Value(args[0]))?;
                let value = repeated(cfa, value, u64::from(self.cell_bits[r as usize] / cfa.terms.width(value)));
                Some(cfa.terms.const_array(cfa.pointer_bits, value))
            }
            Kind::Write => {
                let below = self.need(Wanted::Memory(args[0], r));
                let (address, value) = (self.need(Wanted::Value(args[1])), self.written_value(cfa, m));
                let (below, at, value) = (below?, address?, value?);
                self.note_field(cfa, r, (args[1], Some(u64::from(cfa.terms.width(args[2]) / 8))), at);
                Some(cfa.terms.write(below, at, value))
            }
            Kind::Ite => {
                let c = self.need(Wanted::Value(args[0]));
                let (a, b) = (self.need(Wanted::Memory(args[1], r)), self.need(Wanted::Memory(args[2], r)));
                Some(cfa.terms.ite(c?, a?, b?))
            }
            Kind::Copy => self.copy_into_memory(cfa, m, r),
            other => panic!("{other:?} is no memory"),
        }
    }

    /// The variant of the arbitrary array `v` with cells of `bits` bits.
    fn array_variant(&mut self, cfa: &mut Cfa, v: VarId, bits: u32) -> VarId {
        if let Some(&x) = self.wide_arrays.get(&(v, bits)) {
            return x;
        }
        let x = if cfa.vars[v].sort == (Sort::Array { index: cfa.pointer_bits, elem: bits }) {
            v
        } else {
            let (name, scope) = (format!("{}#{bits}", cfa.vars[v].name), cfa.vars[v].scope);
            cfa.add_var(name, Sort::Array { index: cfa.pointer_bits, elem: bits }, scope)
        };
        self.wide_arrays.insert((v, bits), x);
        x
    }

    /// A copy whose destination is a memory.
    fn copy_into_memory(&mut self, cfa: &mut Cfa, m: Term, r: u32) -> Option<Term> {
        let copy = Self::copy_args(cfa, m);
        let below = self.need(Wanted::Memory(copy.dst, r));
        let (to, len) = (self.need(Wanted::Value(copy.to)), self.need(Wanted::Value(copy.len)));
        let bytes = cfa.terms.as_u64(copy.len);
        let Some(access) = self.regions.copy_source(m).copied() else {
            // The source is constant or an arbitrary array: it is the same at every address, so that the source
            // address may be aligned.
            let source = self.need(Wanted::Memory(copy.source, r));
            let from = match self.cell_bits[r as usize] {
                8 => self.need(Wanted::Value(copy.from)),
                _ => to,
            };
            let (below, to) = (below?, to?);
            self.note_field(cfa, r, (copy.to, bytes), to);
            return Some(cfa.terms.copy(below, to, source?, from?, len?));
        };
        let Some(r2) = access.region else { return below };
        let plan = self.plan;
        let Some(promoted) = plan.promoted(&access) else {
            let (source, from) = (self.need(Wanted::Memory(copy.source, r2)), self.need(Wanted::Value(copy.from)));
            let (below, to, source, from) = (below?, to?, source?, from?);
            self.note_field(cfa, r, (copy.to, bytes), to);
            self.note_field(cfa, r2, (copy.from, bytes), from);
            return Some(cfa.terms.copy(below, to, source, from, len?));
        };
        let (lo, n) = (self.plan.offset(&access), access.bytes.expect("of a promoted object"));
        let mut parts = Vec::new();
        for c in promoted.overlapping(lo, lo + n) {
            let cluster = promoted.clusters[c];
            let (begin, end) = (cluster.lo.max(lo), cluster.hi.min(lo + n));
            parts.push((begin - lo, self.bytes(cfa, copy.source, r2, begin..end)));
        }
        let (mut memory, to) = (below?, to?);
        for (at, value) in parts {
            let address = cfa.terms.add_int(to, at);
            memory = cfa.terms.write(memory, address, value?);
        }
        Some(memory)
    }

    fn cell(&mut self, cfa: &mut Cfa, m: Term, r: u32, c: u32) -> Option<Term> {
        let m = self.relevant(cfa, m, r);
        let cluster = self.cluster(r, c);
        let args: Vec<Term> = cfa.terms.args(m).to_vec();
        match cfa.terms.kind(m) {
            Kind::Var(v) if Some(v) == self.memory => Some(cfa.var_term(cluster.var)),
            Kind::Ite => {
                let condition = self.need(Wanted::Value(args[0]));
                let (a, b) = (self.need(Wanted::Cell(args[1], r, c)), self.need(Wanted::Cell(args[2], r, c)));
                Some(cfa.terms.ite(condition?, a?, b?))
            }
            Kind::Write | Kind::Copy => {
                let access = *self.regions.access(m).expect("writes are accesses");
                let lo = self.plan.offset(&access);
                let hi = lo + access.bytes.expect("of a promoted object");
                let (begin, end) = (cluster.lo.max(lo), cluster.hi.min(hi));
                if begin >= end {
                    return self.need(Wanted::Cell(args[0], r, c));
                }
                let part = match cfa.terms.kind(m) {
                    Kind::Write => self.written_value(cfa, m).map(|value| {
                        Some(cfa.terms.extract(8 * (end - lo) as u32 - 1, 8 * (begin - lo) as u32, value))
                    }),
                    _ => self.copied_bytes(cfa, m, (r, c), begin - lo, end - begin),
                };
                let whole = (begin, end) == (cluster.lo, cluster.hi);
                match part {
                    Some(Some(part)) if whole => Some(part),
                    Some(None) => self.need(Wanted::Cell(args[0], r, c)),
                    part => {
                        let below = self.need(Wanted::Cell(args[0], r, c));
                        Some(spliced(cfa, below?, part??, 8 * (begin - cluster.lo) as u32))
                    }
                }
            }
            other => panic!("{other:?} is no memory"),
        }
    }

    /// `n` bytes, from byte `at` on, of what the copy `m` copies to a cluster. `Some(None)`: the source is no object.
    fn copied_bytes(&mut self, cfa: &mut Cfa, m: Term, to: (u32, u32), at: u64, n: u64) -> Option<Option<Term>> {
        let copy = Self::copy_args(cfa, m);
        if let Some(access) = self.regions.copy_source(m).copied() {
            let Some(r) = access.region else { return Some(None) };
            if self.plan.promoted(&access).is_some() {
                let lo = self.plan.offset(&access) + at;
                return self.bytes(cfa, copy.source, r, lo..lo + n).map(Some);
            }
            let (source, from) = (self.need(Wanted::Memory(copy.source, r)), self.need(Wanted::Value(copy.from)));
            let address = cfa.terms.add_int(from?, at);
            return Some(Some(cfa.terms.read(source?, address, 8 * n as u32)));
        }
        match memory_bases(cfa, copy.source)[..] {
            [base] if cfa.terms.kind(base) == Kind::ConstArray => {
                let value = cfa.terms.args(base)[0];
                let value = self.need(Wanted::Value(value))?;
                Some(Some(repeated(cfa, value, n)))
            }
            _ => {
                // Any bytes of the cluster's input will do.
                let v = self.arbitrary_var(cfa, Arbitrary::Forgotten(m, to.0, to.1));
                let whole = cfa.var_term(v);
                Some(Some(cfa.terms.extract(8 * n as u32 - 1, 0, whole)))
            }
        }
    }

    /// The arbitrary values that an access needs as inputs.
    pub(super) fn arbitrary_of(&self, cfa: &Cfa, a: &Access) -> Vec<Arbitrary> {
        match (cfa.terms.kind(a.term), a.region) {
            (Kind::Read, None) => vec![Arbitrary::InvalidRead(a.term)],
            (Kind::Write, Some(_)) => self.arbitrary_value(cfa, a.term).into_iter().collect(),
            (Kind::Copy, Some(r)) if self.forgets(cfa, a.term) => match self.plan.promoted(a) {
                Some(promoted) if Some(a) == self.regions.access(a.term) => {
                    let lo = self.plan.offset(a);
                    let clusters = promoted.overlapping(lo, lo + a.bytes.unwrap_or(0));
                    clusters.map(|c| Arbitrary::Forgotten(a.term, r, c as u32)).collect()
                }
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// Whether the copy's source is an arbitrary array.
    fn forgets(&self, cfa: &Cfa, m: Term) -> bool {
        let bases = memory_bases(cfa, cfa.terms.args(m)[2]);
        self.regions.copy_source(m).is_none() && !matches!(bases[..], [b] if cfa.terms.kind(b) == Kind::ConstArray)
    }
}

/// `n` copies of `value` side by side.
fn repeated(cfa: &mut Cfa, value: Term, n: u64) -> Term {
    (1..n).fold(value, |whole, _| cfa.terms.concat(value, whole))
}

/// `whole` with `part` in place of its bits from `lo` on.
fn spliced(cfa: &mut Cfa, whole: Term, part: Term, lo: u32) -> Term {
    let (w, n) = (cfa.terms.width(whole), cfa.terms.width(part));
    let mut t = part;
    if lo > 0 {
        let low = cfa.terms.extract(lo - 1, 0, whole);
        t = cfa.terms.concat(t, low);
    }
    if lo + n < w {
        let high = cfa.terms.extract(w - 1, lo + n, whole);
        t = cfa.terms.concat(high, t);
    }
    t
}
