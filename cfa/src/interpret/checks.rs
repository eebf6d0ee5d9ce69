//! What is checked before an edge is executed: that all that it accesses exists.

use super::{End, Machine};
use crate::graph::{Cfa, ObjectKind, SlotAccess};
use crate::ids::{EdgeId, Id, ObjectId, VarId};
use crate::op::Op;
use crate::term::{Kind, Term, Terms};
use std::rc::Rc;

/// What is checked before an edge is executed.
#[derive(Clone, Copy)]
pub(super) enum Check {
    /// The range lies within a live object.
    Range(Access),
    /// Ranges (their addresses and their length) do not overlap.
    Apart([Term; 3]),
    /// The slot lives, which became a variable.
    Lives(SlotAccess),
}

/// A range of memory that an edge accesses.
#[derive(Clone, Copy)]
pub(super) struct Access {
    /// The memory accessed, if it is a variable.
    memory: Option<VarId>,
    address: Term,
    bytes: Bytes,
    writes: bool,
}

/// The length of a range, in bytes.
#[derive(Clone, Copy)]
enum Bytes {
    Fixed(u64),
    /// The value of this term; if it is zero, there is no access.
    Of(Term),
}

impl Machine<'_> {
    /// Whether an object in `live` can be accessed now. A stack slot exists only while its function is active, and it is in scope.
    fn exists(&self, o: ObjectId) -> bool {
        match self.cfa.objects[o].kind {
            ObjectKind::Stack(f) => {
                (f == self.cfa.entry || self.active[f.index()] > 0) && (self.gone.is_empty() || !self.gone.contains(&o))
            }
            ObjectKind::Global | ObjectKind::Function(_) | ObjectKind::Site(_) | ObjectKind::Outside => true,
        }
    }

    /// Whether an address of an object may be one of its present instance: a slot's, if it names the slot, or the program has computed the
    /// slot's address since the slot began.
    fn is_of_present(&self, o: ObjectId, address: Term) -> bool {
        let object = &self.cfa.objects[o];
        let ObjectKind::Stack(f) = object.kind else { return true };
        let (Some(base), true) = (object.base, self.slots[f.index()].contains(&o)) else { return true };
        if self.taken.contains(&o) {
            return true;
        }
        let terms = &self.cfa.terms;
        let within = |k: u64| base <= k && k - base <= object.size_bytes.unwrap_or(0);
        terms.subterms(&[address], |_| false).into_iter().any(|t| terms.as_u64(t).is_some_and(within))
    }

    /// Checks that all that the operation of `e` reads, writes or copies exists, and that ranges which must not overlap do not.
    pub(super) fn check(&mut self, e: EdgeId) -> Result<(), End> {
        let checks = match &self.checks[e.index()] {
            Some(known) if known.is_empty() => return Ok(()),
            Some(known) => Rc::clone(known),
            None => {
                let found: Rc<[Check]> = checks(self.cfa, e).into();
                self.checks[e.index()] = Some(Rc::clone(&found));
                found
            }
        };
        for check in &*checks {
            let invalid = match *check {
                Check::Range(access) => self.outside(e, access),
                Check::Apart(ranges) => self.overlap(ranges),
                Check::Lives(SlotAccess { object, through_pointer }) => {
                    let lives = self.exists(object) && (!through_pointer || self.taken.contains(&object));
                    (!lives).then(|| self.cfa.objects[object].base.unwrap_or(0))
                }
            };
            if let Some(address) = invalid {
                return Err(End::InvalidAccess { edge: e, address });
            }
        }
        Ok(())
    }

    /// The address at which ranges overlap that must not, if they do.
    fn overlap(&self, ranges: [Term; 3]) -> Option<u64> {
        let bytes = self.eval(ranges[2]).to_u64()?;
        let [to, from] = [ranges[0], ranges[1]].map(|t| self.value_of(t).and_then(|v| v.to_u64()));
        let (to, from) = match (to, from) {
            (Some(to), Some(from)) => (to, from),
            // An object that lies nowhere, since it became variables: its parts still have distances.
            _ => {
                let terms = &self.cfa.terms;
                let [(base, to), (other, from)] = [ranges[0], ranges[1]].map(|t| terms.base_offset(t));
                if base != other {
                    return None;
                }
                (to.to_u64()?, from.to_u64()?)
            }
        };
        (to != from && to.abs_diff(from) < bytes).then_some(to)
    }

    /// The address of an access by `e`, if it is not within a live object.
    fn outside(&self, e: EdgeId, access: Access) -> Option<u64> {
        let bytes = match access.bytes {
            Bytes::Fixed(n) => n,
            Bytes::Of(t) => self.eval(t).to_u64().unwrap_or(u64::MAX),
        };
        if bytes == 0 {
            return None;
        }
        let address = self.eval(access.address).to_u64().unwrap_or(0);
        // An object of another memory is as invalid as no object: points-to analysis separated the memories.
        // Constants get their values before the program begins.
        let writes = access.writes && !self.cfa.funcs[self.cfa.locs[self.cfa.edges[e].from].func].is_start();
        let held = access.memory.and_then(|m| self.cfa.memory.objects.get(&m));
        // A table of sizes or ranks, of which the program knows nothing.
        if held.is_some_and(Vec::is_empty) {
            return None;
        }
        let inside = self.live.range(..=address).next_back().is_some_and(|(base, (size, object))| {
            let offset = address - base;
            offset.checked_add(bytes).is_some_and(|end| end <= *size)
                && !(writes && self.cfa.objects[*object].constant)
                && self.exists(*object)
                && self.is_of_present(*object, access.address)
                && held.is_none_or(|objects| objects.binary_search(object).is_ok())
        });
        (!inside).then_some(address)
    }
}

/// What is checked before `e` is executed.
fn checks(cfa: &Cfa, e: EdgeId) -> Vec<Check> {
    let mut found: Vec<Check> = accesses(cfa, &cfa.edges[e].op).into_iter().map(Check::Range).collect();
    found.extend(cfa.apart.get(&e).map(|&ranges| Check::Apart(ranges)));
    found.extend(cfa.memory.slots.get(&e).into_iter().flatten().map(|&o| Check::Lives(o)));
    found
}

/// The ranges that an operation accesses.
fn accesses(cfa: &Cfa, op: &Op) -> Vec<Access> {
    let terms = &cfa.terms;
    let mut found = Vec::new();
    for u in terms.subterms(&op.terms(), |_| false) {
        let args = terms.args(u);
        let width_bytes = |t: Term| Bytes::Fixed(u64::from(terms.width(t)) / 8);
        let memory = |t: Term| memory_of(terms, t);
        match terms.kind(u) {
            Kind::Read => {
                found.push(Access { memory: memory(args[0]), address: args[1], bytes: width_bytes(u), writes: false });
            }
            Kind::Write => {
                found.push(Access {
                    memory: memory(args[0]),
                    address: args[1],
                    bytes: width_bytes(args[2]),
                    writes: true,
                });
            }
            Kind::Copy => {
                let bytes = Bytes::Of(args[4]);
                found.push(Access { memory: memory(args[0]), address: args[1], bytes, writes: true });
                if terms.kind(args[2]) != Kind::ConstArray {
                    found.push(Access { memory: memory(args[2]), address: args[3], bytes, writes: false });
                }
            }
            _ => {}
        }
    }
    found
}

/// The variable that a memory term changes, if it is one.
fn memory_of(terms: &Terms, mut t: Term) -> Option<VarId> {
    loop {
        match terms.kind(t) {
            Kind::Var(v) => return Some(v),
            Kind::Write | Kind::Copy => t = terms.args(t)[0],
            _ => return None,
        }
    }
}
