//! Accesses of memory, and the regions into which they split it.
//!
//! Two objects that the same access may touch lie in the same region. Every access lies in exactly one region, or in none
//! (its address points to no object: the access is invalid). The two sides of a block copy are separate accesses, so that
//! copies do not join regions. Each region gets a memory of its own, with cells as wide as all of its accesses allow.

use crate::points_to::{MODULUS_BITS, PointsTo, memory_bases, trailing_zeros};
use cfa::term::{Kind, Term};
use cfa::{Cfa, EdgeId, Id, ObjectId, ObjectKind, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// The kind of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// A read of a value that is used as such, or only to be written elsewhere (`copied`, that is, part of a copy).
    Read {
        /// Whether all uses of the value are writes of the whole value.
        copied: bool,
    },
    /// A write of a value: a constant, the result of a read, or another one.
    Write {
        /// Whether the value is a constant.
        constant: bool,
        /// Whether the value is the result of a read.
        copied: bool,
    },
    /// The destination of a block copy.
    CopyTo,
    /// The source of a block copy.
    CopyFrom,
}

/// An access of the program's memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Access {
    /// The read, write or copy.
    pub term: Term,
    /// The address at which it begins.
    pub address: Term,
    /// Its length, if constant.
    pub bytes: Option<u64>,
    /// Its kind.
    pub role: Role,
    /// The number of its region; `None` if its address points to no object.
    pub region: Option<u32>,
}

/// A set of objects that accesses cannot distinguish, and the accesses of these objects.
#[derive(Clone, Default, Debug)]
pub struct Region {
    /// The objects, ascending.
    pub objects: Vec<ObjectId>,
    /// The accesses, by their numbers.
    pub accesses: Vec<u32>,
}

/// All accesses and regions of a program.
pub struct Regions {
    /// The accesses.
    pub accesses: Vec<Access>,
    /// The regions, in the order of their first objects.
    pub regions: Vec<Region>,
    of_term: FxHashMap<Term, [Option<u32>; 2]>,
    of_object: FxHashMap<ObjectId, u32>,
    of_edge: FxHashMap<EdgeId, Range<u32>>,
    edge_accesses: Vec<u32>,
}

/// Whether the object can hold data.
pub fn is_data(cfa: &Cfa, o: ObjectId) -> bool {
    !matches!(cfa.objects[o].kind, ObjectKind::Function(_) | ObjectKind::Outside)
}

/// The terms that are evaluated when an edge is executed: those of its operation, the address that it frees, and the size
/// that it allocates.
pub fn edge_terms(cfa: &Cfa, e: EdgeId) -> Vec<Term> {
    let mut roots = cfa.edges[e].op.terms();
    roots.extend(cfa.frees.get(&e));
    roots.extend(cfa.allocations.get(&e).map(|a| a.size));
    roots
}

impl Regions {
    /// Finds the accesses of all edges and splits memory.
    pub fn new(cfa: &Cfa, memory: Option<VarId>, points_to: &PointsTo) -> Regions {
        let mut regions = Regions {
            accesses: Vec::new(),
            regions: Vec::new(),
            of_term: FxHashMap::default(),
            of_object: FxHashMap::default(),
            of_edge: FxHashMap::default(),
            edge_accesses: Vec::new(),
        };
        regions.collect(cfa, memory);
        regions.split(cfa, points_to);
        regions
    }

    fn collect(&mut self, cfa: &Cfa, memory: Option<VarId>) {
        let terms = &cfa.terms;
        let mut used: FxHashSet<Term> = FxHashSet::default();
        let mut seen: FxHashSet<Term> = FxHashSet::default();
        for e in cfa.edges.ids() {
            let roots = edge_terms(cfa, e);
            used.extend(roots.iter().filter(|t| terms.kind(**t) == Kind::Read));
            let begin = self.edge_accesses.len() as u32;
            for t in terms.subterms(&roots, |_| false) {
                if seen.insert(t) {
                    let copied = terms.kind(t) == Kind::Write;
                    for (i, &a) in terms.args(t).iter().enumerate() {
                        if terms.kind(a) == Kind::Read && !(copied && i == 2) {
                            used.insert(a);
                        }
                    }
                    self.add_term(cfa, memory, t);
                }
                if let Some(list) = self.of_term.get(&t) {
                    self.edge_accesses.extend(list.iter().flatten());
                }
            }
            let end = self.edge_accesses.len() as u32;
            if end > begin {
                self.of_edge.insert(e, begin..end);
            }
        }
        for access in &mut self.accesses {
            if let Role::Read { copied } = &mut access.role {
                *copied = !used.contains(&access.term);
            }
        }
    }

    fn add_term(&mut self, cfa: &Cfa, memory: Option<VarId>, t: Term) {
        let terms = &cfa.terms;
        let args = terms.args(t);
        let bytes = |value: Term| Some(u64::from(terms.width(value) / 8));
        let of_memory =
            |m: Term| memory_bases(cfa, m).iter().any(|&b| memory.is_some_and(|v| terms.kind(b) == Kind::Var(v)));
        let mut add = |address: Term, bytes: Option<u64>, role: Role| {
            self.accesses.push(Access { term: t, address, bytes, role, region: None });
            Some(self.accesses.len() as u32 - 1)
        };
        let found = match terms.kind(t) {
            Kind::Read if of_memory(args[0]) => [add(args[1], bytes(t), Role::Read { copied: false }), None],
            Kind::Write => {
                let constant = terms.as_bv(args[2]).is_some();
                let copied = terms.kind(args[2]) == Kind::Read;
                [add(args[1], bytes(args[2]), Role::Write { constant, copied }), None]
            }
            Kind::Copy => {
                let len = terms.as_u64(args[4]);
                let from = of_memory(args[2]).then(|| add(args[3], len, Role::CopyFrom)).flatten();
                [add(args[1], len, Role::CopyTo), from]
            }
            _ => return,
        };
        self.of_term.insert(t, found);
    }

    fn split(&mut self, cfa: &Cfa, points_to: &PointsTo) {
        let mut parent: Vec<u32> = (0..cfa.objects.len() as u32).collect();
        fn find(parent: &mut [u32], mut x: u32) -> u32 {
            while parent[x as usize] != x {
                parent[x as usize] = parent[parent[x as usize] as usize];
                x = parent[x as usize];
            }
            x
        }
        let mut accessed = vec![false; cfa.objects.len()];
        let mut first: Vec<Option<ObjectId>> = Vec::with_capacity(self.accesses.len());
        for access in &self.accesses {
            let mut objects = points_to.of(access.address).iter().map(|p| p.0).filter(|o| is_data(cfa, *o));
            let head = objects.next();
            first.push(head);
            let Some(head) = head else { continue };
            accessed[head.index()] = true;
            for o in objects {
                accessed[o.index()] = true;
                let (a, b) = (find(&mut parent, head.0), find(&mut parent, o.0));
                parent[a.max(b) as usize] = a.min(b);
            }
        }
        let mut number: FxHashMap<u32, u32> = FxHashMap::default();
        for o in cfa.objects.ids().filter(|o| accessed[o.index()]) {
            let r = *number.entry(find(&mut parent, o.0)).or_insert_with(|| {
                self.regions.push(Region::default());
                self.regions.len() as u32 - 1
            });
            self.regions[r as usize].objects.push(o);
            self.of_object.insert(o, r);
        }
        for (i, head) in first.into_iter().enumerate() {
            if let Some(head) = head {
                let r = number[&find(&mut parent, head.0)];
                self.accesses[i].region = Some(r);
                self.regions[r as usize].accesses.push(i as u32);
            }
        }
    }

    /// The access that `t`, a read or write, makes; for a copy, its destination.
    pub fn access(&self, t: Term) -> Option<&Access> {
        self.of_term.get(&t).and_then(|list| list[0]).map(|i| &self.accesses[i as usize])
    }

    /// The source of the copy `t`, if it lies in the program's memory.
    pub fn copy_source(&self, t: Term) -> Option<&Access> {
        self.of_term.get(&t).and_then(|list| list[1]).map(|i| &self.accesses[i as usize])
    }

    /// The region of an object, if any access may touch it.
    pub fn of_object(&self, o: ObjectId) -> Option<u32> {
        self.of_object.get(&o).copied()
    }

    /// The accesses of an edge, inner ones first.
    pub fn of_edge(&self, e: EdgeId) -> impl Iterator<Item = &Access> {
        let range = self.of_edge.get(&e).cloned().unwrap_or(0..0);
        self.edge_accesses[range.start as usize..range.end as usize].iter().map(|&i| &self.accesses[i as usize])
    }

    /// The width of each region's cells in bits: the largest width (of at most 64 bits) to which all accesses of the region, and of
    /// the regions that it is copied to or from, are aligned, and of which their lengths are multiples. `limit` restricts a region
    /// further (log2 of the cell's bytes).
    pub fn cell_bits(&self, cfa: &Cfa, points_to: &PointsTo, limit: &dyn Fn(u32) -> u8) -> Vec<u32> {
        const WIDEST: u8 = 3;
        let mut bytes_log2: Vec<u8> = (0..self.regions.len() as u32).map(|r| limit(r).min(WIDEST)).collect();
        for access in &self.accesses {
            let Some(r) = access.region else { continue };
            let multiple = match access.bytes {
                Some(n) => n.trailing_zeros() as u8,
                None => trailing_zeros(cfa, cfa.terms.args(access.term)[4], 0),
            };
            let aligned = points_to.of(access.address).iter().filter(|p| is_data(cfa, p.0)).map(|&(o, offset)| {
                let base = match cfa.objects[o].stride_bytes {
                    0 => MODULUS_BITS,
                    stride => stride.trailing_zeros() as u8,
                };
                offset.trailing_zeros().min(base)
            });
            let least = aligned.min().unwrap_or(0).min(multiple);
            bytes_log2[r as usize] = bytes_log2[r as usize].min(least);
        }
        // Both sides of a copy need cells of the same width.
        loop {
            let mut changed = false;
            for access in self.accesses.iter().filter(|a| a.role == Role::CopyTo) {
                if let (Some(a), Some(b)) = (access.region, self.copy_source(access.term).and_then(|s| s.region)) {
                    let least = bytes_log2[a as usize].min(bytes_log2[b as usize]);
                    changed |= bytes_log2[a as usize] != least || bytes_log2[b as usize] != least;
                    (bytes_log2[a as usize], bytes_log2[b as usize]) = (least, least);
                }
            }
            if !changed {
                return bytes_log2.into_iter().map(|k| 8 << k).collect();
            }
        }
    }
}
