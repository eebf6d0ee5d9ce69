//! Checks that accesses lie in the memories or variables to which the split of memory assigned them.

use super::values::bases;
use super::{Check, NotClosed, Verdict};
use cfa::offset::{Offset, Pointee};
use cfa::pointers::{Place, PointerClaims, SplitClaims};
use cfa::term::{Kind, Term};
use cfa::{EdgeId, ObjectId, ObjectKind, RawCfa};
use rustc_hash::FxHashMap;

/// Checks that accesses lie where the split puts them, based on `claims` that are closed ([`check_pointers`](super::check_pointers)).
/// Cost: linear in the operations, times the size of the sets.
pub fn check_split(raw: &RawCfa, claims: &PointerClaims, split: &SplitClaims) -> Verdict {
    let mut check = Check::new(raw, claims)?;
    check.memories(split)?;
    check.each_edge(|check, e| check.accesses(e, split))
}

impl Check<'_> {
    fn is_data(&self, o: ObjectId) -> bool {
        !matches!(self.cfa.objects[o].kind, ObjectKind::Function(_) | ObjectKind::Outside)
    }

    /// Checks that no object lies in two places, and that objects whose address is exposed do not have a fixed address.
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
        let mut roots = cfa.edges[e].op.terms().into_vec();
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

    /// Checks that an access of `bytes` bytes at `address` lies where the split says.
    fn access(&mut self, address: Term, bytes: Option<u64>, split: &SplitClaims) -> Verdict {
        if bytes == Some(0) {
            return Ok(());
        }
        let cfa = self.cfa;
        let s = self.value(address);
        let mut pointees = self.sets[s as usize].clone();
        let outside = pointees.iter().any(|p| Some(p.0) == self.outside);
        if outside {
            // What lies outside may be the address of any object that the outside knows, at any offset.
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
            return wrong("an access has no address range".into());
        };
        let name = |o: ObjectId| &cfa.objects[o].name;
        match place {
            Place::Nowhere => match pointees.first() {
                Some((o, _)) => wrong(format!("an access to {} has no memory", name(*o))),
                None => Ok(()),
            },
            Place::Memory(objects) => match pointees.iter().find(|p| objects.binary_search(&p.0).is_err()) {
                Some((o, _)) => wrong(format!("an access to {} is one to another memory", name(*o))),
                None => Ok(()),
            },
            Place::Variables { object, offset } => {
                let last = bytes.and_then(|n| cfa.objects[*object].size_bytes?.checked_sub(n));
                let Some(last) = last else { return wrong(format!("an access is longer than {}", name(*object))) };
                for (o, at) in pointees {
                    if o != *object {
                        return wrong(format!("an access to {} is taken as one to {}", name(o), name(*object)));
                    }
                    if !only(at, *offset, last) {
                        return wrong(format!("an access to {} may lie elsewhere in it", name(o)));
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
    // A congruence has a modulus of at most 16, so it repeats.
    (0..=last.min(64)).all(|k| k == wanted || !at.admits(k as i64)) && (last <= 64 || !(0..16).any(|k| at.admits(k)))
}
