//! Accesses of memory, and the regions into which they split it.
//!
//! Two objects that the same access may touch lie in the same region. Every access lies in exactly one region, or in none
//! (its address points to no object: the access is invalid). The two sides of a block copy are separate accesses, so that
//! copies do not join regions. Each region gets a memory of its own, with cells as wide as all of its accesses allow.

use crate::points_to::{MODULUS_BITS, Pointee, PointsTo, memory_bases, trailing_zeros};
use crate::prepare::array_terms::ArrayTerms;
use cfa::term::{Kind, Term};
use cfa::{Cfa, EdgeId, Id, ObjectId, ObjectKind, VarId};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

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

/// Stands for no access.
const NONE: u32 = u32::MAX;

/// All accesses and regions of a program.
pub struct Regions {
    /// The accesses.
    pub accesses: Vec<Access>,
    /// The regions, in the order of their first objects.
    pub regions: Vec<Region>,
    /// The terms that have accesses as subterms.
    pub array_terms: ArrayTerms,
    /// For each term, the number of its access, and for a copy that of its source; or [`NONE`].
    of_term: Vec<[u32; 2]>,
    of_object: FxHashMap<ObjectId, u32>,
    edge_accesses: Vec<u32>,
    /// Start index of each edge's accesses, with one more entry at the end.
    first: Vec<u32>,
}

/// Whether the object can hold data.
pub fn is_data(cfa: &Cfa, o: ObjectId) -> bool {
    !matches!(cfa.objects[o].kind, ObjectKind::Function(_) | ObjectKind::Outside)
}

/// The terms that are evaluated when an edge is executed: those of its operation, the address that it frees, and the size
/// that it allocates.
pub fn edge_terms(cfa: &Cfa, e: EdgeId) -> SmallVec<[Term; 2]> {
    let mut roots = cfa.edges[e].op.terms();
    roots.extend(cfa.frees.get(&e).copied());
    roots.extend(cfa.allocations.get(&e).map(|a| a.size));
    roots
}

impl Regions {
    /// Finds the accesses of all edges and splits memory.
    pub fn new(cfa: &Cfa, memory: Option<VarId>, points_to: &PointsTo) -> Regions {
        let mut regions = Regions {
            accesses: Vec::new(),
            regions: Vec::new(),
            array_terms: ArrayTerms::new(cfa),
            of_term: vec![[NONE; 2]; cfa.terms.len()],
            of_object: FxHashMap::default(),
            edge_accesses: Vec::new(),
            first: Vec::with_capacity(cfa.edges.len() + 1),
        };
        regions.collect(cfa, memory);
        regions.split(cfa, points_to);
        regions
    }

    fn collect(&mut self, cfa: &Cfa, memory: Option<VarId>) {
        let terms = &cfa.terms;
        let mut used = FixedBitSet::with_capacity(terms.len());
        let mut seen = FixedBitSet::with_capacity(terms.len());
        for e in cfa.edges.ids() {
            self.first.push(self.edge_accesses.len() as u32);
            let roots = edge_terms(cfa, e);
            used.extend(roots.iter().filter(|t| terms.kind(**t) == Kind::Read).map(|t| t.index()));
            for t in self.array_terms.within(cfa, &roots) {
                if !seen.put(t.index()) {
                    let copied = terms.kind(t) == Kind::Write;
                    for (i, &a) in terms.args(t).iter().enumerate() {
                        if terms.kind(a) == Kind::Read && !(copied && i == 2) {
                            used.insert(a.index());
                        }
                    }
                    self.add_term(cfa, memory, t);
                }
                self.edge_accesses.extend(self.of_term[t.index()].iter().filter(|i| **i != NONE));
            }
        }
        self.first.push(self.edge_accesses.len() as u32);
        for access in &mut self.accesses {
            if let Role::Read { copied } = &mut access.role {
                *copied = !used.contains(access.term.index());
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
            self.accesses.len() as u32 - 1
        };
        let found = match terms.kind(t) {
            Kind::Read if of_memory(args[0]) => [add(args[1], bytes(t), Role::Read { copied: false }), NONE],
            Kind::Write => {
                let constant = terms.as_bv(args[2]).is_some();
                let copied = terms.kind(args[2]) == Kind::Read;
                [add(args[1], bytes(args[2]), Role::Write { constant, copied }), NONE]
            }
            Kind::Copy => {
                let len = terms.as_u64(args[4]);
                let from = if of_memory(args[2]) { add(args[3], len, Role::CopyFrom) } else { NONE };
                [add(args[1], len, Role::CopyTo), from]
            }
            _ => return,
        };
        self.of_term[t.index()] = found;
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
        // Many accesses are of the same sets of objects, each of which has a first one.
        let mut firsts: FxHashMap<u32, Option<ObjectId>> = FxHashMap::default();
        let mut first: Vec<Option<ObjectId>> = Vec::with_capacity(self.accesses.len());
        for access in &self.accesses {
            first.push(*firsts.entry(points_to.set_of(access.address)).or_insert_with(|| {
                let mut objects = points_to.of(access.address).iter().map(|p| p.0).filter(|o| is_data(cfa, *o));
                let head = objects.next()?;
                accessed[head.index()] = true;
                for o in objects {
                    accessed[o.index()] = true;
                    let (a, b) = (find(&mut parent, head.0), find(&mut parent, o.0));
                    parent[a.max(b) as usize] = a.min(b);
                }
                Some(head)
            }));
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
        self.accesses.get(self.of_term.get(t.index())?[0] as usize)
    }

    /// The source of the copy `t`, if it lies in the program's memory.
    pub fn copy_source(&self, t: Term) -> Option<&Access> {
        self.accesses.get(self.of_term.get(t.index())?[1] as usize)
    }

    /// The region of an object, if any access may touch it.
    pub fn of_object(&self, o: ObjectId) -> Option<u32> {
        self.of_object.get(&o).copied()
    }

    /// The accesses of an edge, inner ones first.
    pub fn of_edge(&self, e: EdgeId) -> impl Iterator<Item = &Access> {
        // Edges that were inserted later have none.
        let range = match self.first.get(e.index()..e.index() + 2) {
            Some(&[begin, end]) => begin as usize..end as usize,
            _ => 0..0,
        };
        self.edge_accesses[range].iter().map(|&i| &self.accesses[i as usize])
    }

    /// The width of each region's cells in bits: the largest width (of at most 64 bits) to which all accesses of the region, and of
    /// the regions that it is copied to or from, are aligned, and of which their lengths are multiples. `limit` restricts a region
    /// further (log2 of the cell's bytes).
    pub fn cell_bits(&self, cfa: &Cfa, points_to: &PointsTo, limit: &dyn Fn(u32) -> u8) -> Vec<u32> {
        const WIDEST: u8 = 3;
        let mut bytes_log2: Vec<u8> = (0..self.regions.len() as u32).map(|r| limit(r).min(WIDEST)).collect();
        let base = |o: ObjectId| match cfa.objects[o].stride_bytes {
            0 => MODULUS_BITS,
            stride => stride.trailing_zeros() as u8,
        };
        let aligned = |(o, offset): &Pointee| offset.trailing_zeros().min(base(*o));
        let mut alignment: FxHashMap<u32, u8> = FxHashMap::default();
        for access in &self.accesses {
            let Some(r) = access.region else { continue };
            let multiple = match access.bytes {
                Some(n) => n.trailing_zeros() as u8,
                None => trailing_zeros(cfa, cfa.terms.args(access.term)[4], 0),
            };
            let of_set = alignment.entry(points_to.set_of(access.address)).or_insert_with(|| {
                let data = points_to.of(access.address).iter().filter(|p| is_data(cfa, p.0));
                data.map(aligned).min().unwrap_or(0)
            });
            bytes_log2[r as usize] = bytes_log2[r as usize].min(multiple).min(*of_set);
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
