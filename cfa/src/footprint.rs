//! What an operation reads and writes, by variable and by byte.
//!
//! An array that is updated in place (`m := write(m, ..)`) does not count as read, because bytes that are not surely overwritten
//! keep their values. So a write at an unknown address may change any byte and surely changes none, and a write at a fixed address
//! changes only its own bytes. A read or copy from an unknown address counts as a read of the whole
//! array.

use crate::bytes::Bytes;
use crate::graph::Cfa;
use crate::ids::{Id, VarId};
use crate::op::Op;
use crate::term::{Kind, Term, Terms};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// Bytes of a variable that an operation reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Read {
    /// The variable.
    pub var: VarId,
    /// The bytes that may be read.
    pub bytes: Bytes,
}

/// Bytes of a variable that an operation writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Written {
    /// The variable.
    pub var: VarId,
    /// The bytes that may be written.
    pub bytes: Bytes,
    /// Whether all of these bytes are written each time.
    pub sure: bool,
}

/// What an operation reads and writes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Footprint {
    /// What its terms depend on.
    pub reads: SmallVec<[Read; 4]>,
    /// What it changes.
    pub writes: SmallVec<[Written; 2]>,
}

/// Computes footprints. Terms are shared, so it marks the visited terms of the current operation.
pub struct Footprints<'c> {
    cfa: &'c Cfa,
    /// The memories whose bytes are counted from the beginning of blocks.
    of_blocks: FxHashSet<VarId>,
    mark: Vec<u32>,
    round: u32,
    stack: Vec<Term>,
}

impl<'c> Footprints<'c> {
    /// Footprints of the operations of `cfa`.
    pub fn new(cfa: &'c Cfa) -> Footprints<'c> {
        let of_blocks = FxHashSet::default();
        Footprints { cfa, of_blocks, mark: vec![0; cfa.terms.len()], round: 0, stack: Vec::new() }
    }

    /// The same, but the bytes of a memory that holds blocks of the heap only are those of each block, by [`Memory::fields`]. They mean
    /// different blocks, so that none is surely written.
    ///
    /// [`Memory::fields`]: crate::graph::Memory::fields
    pub fn by_field(cfa: &'c Cfa) -> Footprints<'c> {
        let of_blocks = cfa.memory.fields.keys().map(|(memory, _, _)| *memory).collect();
        Footprints { of_blocks, ..Footprints::new(cfa) }
    }

    /// The footprint of `op`. Calls have none of their own; for a construct without a model, it consists of the variables
    /// that it names.
    pub fn of(&mut self, op: &Op) -> Footprint {
        self.round += 1;
        let mut found = Footprint::default();
        match op {
            Op::Assign(list) => list.iter().for_each(|(v, t)| self.assign(*v, *t, &mut found)),
            Op::Input { var, .. } => found.writes.push(Written { var: *var, bytes: Bytes::ALL, sure: true }),
            Op::Unsupported(u) => {
                let all = |var: &VarId| Read { var: *var, bytes: Bytes::ALL };
                found.reads.extend(u.reads.iter().flatten().map(all));
                let some = |var: &VarId| Written { var: *var, bytes: Bytes::ALL, sure: false };
                found.writes.extend(u.writes.iter().flatten().map(some));
            }
            Op::CallIndirect(call) => {
                self.stack.extend(op.terms());
                let some = |var| Written { var, bytes: Bytes::ALL, sure: false };
                found.writes.extend(call.result.map(some));
            }
            Op::Assume { cond, .. } => self.stack.push(*cond),
            Op::Skip | Op::Call(_) => {}
        }
        self.read(&mut found);
        found
    }

    /// `v := t`.
    fn assign(&mut self, v: VarId, t: Term, found: &mut Footprint) {
        let terms = &self.cfa.terms;
        // The chain of writes to `v` itself, if the term is one.
        let mut base = t;
        while matches!(terms.kind(base), Kind::Write | Kind::Copy) {
            base = terms.args(base)[0];
        }
        if terms.kind(base) != Kind::Var(v) || base == t {
            self.stack.push(t);
            found.writes.push(Written { var: v, bytes: Bytes::ALL, sure: true });
            return;
        }
        let mut at = t;
        while at != base {
            let args = terms.args(at);
            let (count, rest) = match terms.kind(at) {
                Kind::Write => (Some(u64::from(terms.width(args[2]) / 8)), &args[1..]),
                _ => {
                    self.read_range(args[2], args[3], args[4], found);
                    (terms.as_u64(args[4]), &args[1..2])
                }
            };
            self.stack.extend(rest);
            let bytes = count.and_then(|n| self.range(Some(v), args[1], n));
            let sure = bytes.is_some() && !self.of_blocks.contains(&v);
            found.writes.push(Written { var: v, bytes: bytes.unwrap_or(Bytes::ALL), sure });
            at = args[0];
        }
    }

    /// `count` bytes of a memory from `address` on, if the address is constant and the range does not wrap around, or if these bytes of
    /// blocks are known.
    fn range(&self, memory: Option<VarId>, address: Term, count: u64) -> Option<Bytes> {
        if let Some(v) = memory.filter(|v| self.of_blocks.contains(v)) {
            return self.cfa.memory.fields.get(&(v, address, count)).copied();
        }
        let terms = &self.cfa.terms;
        let bytes = Bytes::from(terms.as_u64(address)?, count)?;
        let end = 1u64.checked_shl(terms.width(address));
        end.is_none_or(|end| bytes.last < end).then_some(bytes)
    }

    /// Adds a read of `count` bytes of `memory` from `address` on.
    fn read_range(&mut self, memory: Term, address: Term, count: Term, found: &mut Footprint) {
        let terms = &self.cfa.terms;
        let of = variable(terms, memory);
        let bytes = terms.as_u64(count).and_then(|n| self.range(of, address, n));
        match (terms.kind(memory), bytes) {
            (Kind::Var(var), Some(bytes)) => found.reads.push(Read { var, bytes }),
            _ => self.stack.push(memory),
        }
        self.stack.extend([address, count]);
    }

    /// Adds everything that the terms on the stack read.
    fn read(&mut self, found: &mut Footprint) {
        let terms = &self.cfa.terms;
        while let Some(t) = self.stack.pop() {
            if std::mem::replace(&mut self.mark[t.index()], self.round) == self.round {
                continue;
            }
            let args = terms.args(t);
            match terms.kind(t) {
                Kind::Var(var) => found.reads.push(Read { var, bytes: Bytes::ALL }),
                Kind::Read => {
                    let count = u64::from(terms.width(t) / 8);
                    let bytes = self.range(variable(terms, args[0]), args[1], count);
                    match (terms.kind(args[0]), bytes) {
                        (Kind::Var(var), Some(bytes)) => found.reads.push(Read { var, bytes }),
                        _ => self.stack.extend(args),
                    }
                }
                _ => self.stack.extend(args),
            }
        }
    }
}

fn variable(terms: &Terms, memory: Term) -> Option<VarId> {
    match terms.kind(memory) {
        Kind::Var(v) => Some(v),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Scope, Span};
    use crate::term::Sort;

    fn check(op: impl FnOnce(&mut Cfa, [VarId; 2], VarId) -> Op, expect: &str) {
        let mut cfa = Cfa::new(32);
        cfa.add_func("main", Span::default());
        let memory = Sort::Array { index: 32, elem: 8 };
        let m = ["m", "n"].map(|name| cfa.add_var(name, memory, Scope::Global));
        let x = cfa.add_var("x", Sort::Bv(32), Scope::Global);
        let op = op(&mut cfa, m, x);
        let found = Footprints::new(&cfa).of(&op);
        let range = |b: Bytes| match b {
            Bytes::ALL => "*".to_string(),
            Bytes { first, last } => format!("{first}..={last}"),
        };
        let mut parts: Vec<String> =
            found.reads.iter().map(|r| format!("reads {} {}", cfa.vars[r.var].name, range(r.bytes))).collect();
        parts.extend(found.writes.iter().map(|w| {
            format!("{} {} {}", if w.sure { "writes" } else { "may write" }, cfa.vars[w.var].name, range(w.bytes))
        }));
        parts.sort();
        assert_eq!(parts.join(", "), expect);
    }

    #[test]
    fn footprints() {
        let word = |cfa: &mut Cfa, v: u64| cfa.terms.int(32, v);
        check(
            |cfa, [m, _], x| {
                let (tm, tx, at) = (cfa.var_term(m), cfa.var_term(x), word(cfa, 100));
                Op::assign(m, cfa.terms.write(tm, at, tx))
            },
            "reads x *, writes m 100..=103",
        );
        check(
            |cfa, [m, _], x| {
                let (tm, tx, at) = (cfa.var_term(m), cfa.var_term(x), word(cfa, 0xffff_fffe));
                Op::assign(m, cfa.terms.write(tm, at, tx))
            },
            "may write m *, reads x *",
        );
        check(
            |cfa, [m, _], x| {
                let (tm, tx) = (cfa.var_term(m), cfa.var_term(x));
                Op::assign(m, cfa.terms.write(tm, tx, tx))
            },
            "may write m *, reads x *",
        );
        check(
            |cfa, [m, n], x| {
                let (tm, tn, at) = (cfa.var_term(m), cfa.var_term(n), word(cfa, 8));
                let low = cfa.terms.read(tm, at, 16);
                let low = cfa.terms.zext(32, low);
                let tx = cfa.var_term(x);
                let any = cfa.terms.read(tn, tx, 32);
                Op::assign(x, cfa.terms.add(low, any))
            },
            "reads m 8..=9, reads n *, reads x *, writes x *",
        );
        check(
            |cfa, [m, n], _| {
                let (tm, tn) = (cfa.var_term(m), cfa.var_term(n));
                let (to, from, len) = (word(cfa, 16), word(cfa, 64), word(cfa, 40));
                Op::assign(m, cfa.terms.copy(tm, to, tn, from, len))
            },
            "reads n 64..=103, writes m 16..=55",
        );
        check(
            |cfa, [m, n], x| {
                let (tn, tx, at) = (cfa.var_term(n), cfa.var_term(x), word(cfa, 0));
                Op::assign(m, cfa.terms.write(tn, at, tx))
            },
            "reads n *, reads x *, writes m *",
        );
    }
}
