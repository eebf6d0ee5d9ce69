//! The contents of objects, field by field.
//!
//! An object's bytes are divided into granules of the size of a pointer. Each granule has a node, which holds the pointers
//! that lie in it, in whole or in part. An access at a known offset uses the granules that it touches. Accesses at an offset
//! that is known only modulo 16, or not at all, use one node for what they read and one for what they write; these are
//! connected with the granules that the access may touch. Objects of one granule have a single node.
//!
//! This is precise for aligned pointers; a pointer in a packed structure touches two granules, and shares them with its
//! neighbours.

use crate::points_to::andersen::Andersen;
use crate::points_to::location::Flow;
use crate::points_to::solver::{Node, Solver};
use cfa::offset::{MODULUS_BITS, Offset, Pointee};
use cfa::pointers::{ContentClaim, Grid, SetId};
use cfa::{Cfa, Id, ObjectId, ObjectKind};

/// Maximum number of granules of an object that are distinguished; the rest of the object is one granule.
const GRANULES: u32 = 64;
/// Accesses of more granules than this are treated as accesses of any granule.
const LONG_ACCESS: u32 = 8;

/// The bytes of an access, relative to an address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Extent {
    /// Where they begin, relative to the address.
    pub at: u32,
    /// Their number; 0 stands for an unknown number, for any bytes of the object if `at` is 0, too.
    pub bytes: u32,
}

/// The part of an object's content that an access touches.
enum Part {
    Nothing,
    Granules(std::ops::RangeInclusive<u32>),
    /// A class of granules: those whose number has this remainder modulo the period, or `ALL`.
    Class(usize),
}

/// The content nodes of an object.
pub(super) enum Content {
    /// No content: a function.
    Opaque,
    /// One node for the whole content.
    Flat(Node),
    /// Several nodes.
    Fields(Box<Fields>),
}

/// The nodes of an object whose parts are distinguished, made on demand.
#[derive(Default)]
pub(super) struct Fields {
    granules: Vec<(u32, Node)>,
    /// For each class, the nodes of what is read and written at any granule of it.
    classes: [Option<Class>; ALL + 1],
}

#[derive(Clone, Copy)]
struct Class {
    read: Node,
    written: Node,
}

/// The number of the class of all granules; smaller numbers are remainders.
const ALL: usize = 4;

/// The contents of all objects.
pub(super) struct Contents {
    granule_bytes: u32,
    /// Number of granules in 2^[`MODULUS_BITS`] bytes.
    period: u32,
    sizes: Vec<Option<u64>>,
    of: Vec<Option<Content>>,
    functions: Vec<bool>,
}

impl Contents {
    /// No content nodes yet.
    pub(super) fn new(cfa: &Cfa) -> Contents {
        let granule_bytes = (cfa.pointer_bits / 8).max(1);
        Contents {
            granule_bytes,
            period: (1 << MODULUS_BITS) / granule_bytes,
            sizes: cfa.objects.iter().map(|o| o.size_bytes).collect(),
            of: cfa.objects.iter().map(|_| None).collect(),
            functions: cfa.objects.iter().map(|o| matches!(o.kind, ObjectKind::Function(_))).collect(),
        }
    }

    fn part(&self, o: ObjectId, offset: Offset, extent: Extent) -> Part {
        let g = self.granule_bytes;
        if let Some(k) = offset.as_exact() {
            // Bytes outside the object are no valid access.
            let lo = k + i64::from(extent.at);
            let end = self.sizes[o.index()].map_or(i64::MAX, |s| i64::try_from(s).unwrap_or(i64::MAX));
            if extent.bytes == 0 {
                // The rest of a block, which is not there if its start fills the object.
                return if extent.at > 0 && lo >= end { Part::Nothing } else { Part::Class(ALL) };
            }
            let (lo, hi) = (lo.max(0), (lo + i64::from(extent.bytes)).min(end));
            if lo >= hi {
                return Part::Nothing;
            }
            let granule = |byte: i64| (byte / i64::from(g)).min(i64::from(GRANULES)) as u32;
            let (first, last) = (granule(lo), granule(hi - 1));
            return if last - first < LONG_ACCESS { Part::Granules(first..=last) } else { Part::Class(ALL) };
        }
        match offset.remainder() {
            Some(rem) if extent.bytes > 0 && self.period <= ALL as u32 => {
                let at = rem.wrapping_add(extent.at);
                let fits = at % g + extent.bytes <= g;
                Part::Class(if fits { (at / g % self.period) as usize } else { ALL })
            }
            _ => Part::Class(ALL),
        }
    }

    fn class_holds(&self, class: usize, granule: u32) -> bool {
        class == ALL || granule == GRANULES || granule % self.period == class as u32
    }
}

fn classes_meet(a: usize, b: usize) -> bool {
    a == ALL || b == ALL || a == b
}

impl Andersen {
    /// Appends the nodes from which an access of the location reads, or (`write`) to which its value flows.
    pub(super) fn content_nodes(&mut self, (o, offset): Pointee, extent: Extent, write: bool, nodes: &mut Vec<Node>) {
        match self.content(o) {
            Content::Opaque => {}
            Content::Flat(n) => nodes.push(*n),
            Content::Fields(_) => match self.contents.part(o, offset, extent) {
                Part::Nothing => {}
                Part::Granules(range) => range.for_each(|g| nodes.push(self.granule(o, g))),
                Part::Class(class) => {
                    let class = self.class(o, class);
                    nodes.push(if write { class.written } else { class.read });
                }
            },
        }
    }

    /// All content nodes of an object.
    pub(super) fn all_content(&self, o: ObjectId) -> Vec<Node> {
        match &self.contents.of[o.index()] {
            Some(Content::Flat(n)) => vec![*n],
            Some(Content::Fields(fields)) => {
                let classes = fields.classes.iter().flatten().flat_map(|c| [c.read, c.written]);
                fields.granules.iter().map(|g| g.1).chain(classes).collect()
            }
            Some(Content::Opaque) | None => Vec::new(),
        }
    }

    /// What an object holds, part by part; `number` returns the number of a node's points-to set.
    pub(super) fn content_claim(&self, o: ObjectId, number: &mut dyn FnMut(Node) -> SetId) -> ContentClaim {
        let mut claim = ContentClaim::default();
        match &self.contents.of[o.index()] {
            Some(Content::Flat(n)) => claim.all = number(*n),
            Some(Content::Fields(fields)) => {
                claim.granules = fields.granules.iter().map(|(g, n)| (*g, number(*n))).collect();
                for (c, class) in fields.classes.iter().enumerate() {
                    let set = class.map_or(0, |c| number(c.written));
                    match claim.residues.get_mut(c) {
                        Some(residue) => *residue = set,
                        None => claim.all = set,
                    }
                }
            }
            Some(Content::Opaque) | None => {}
        }
        claim
    }

    /// How objects are divided into granules.
    pub(super) fn grid(&self) -> Grid {
        let Contents { granule_bytes, period, .. } = self.contents;
        Grid { granule_bytes, granules: GRANULES, period }
    }

    fn content(&mut self, o: ObjectId) -> &Content {
        if self.contents.of[o.index()].is_none() {
            let small = self.contents.sizes[o.index()].is_some_and(|s| s <= u64::from(self.contents.granule_bytes));
            let content = match self.contents.functions[o.index()] {
                true => Content::Opaque,
                false if small => Content::Flat(self.add_content_node()),
                false => Content::Fields(Box::default()),
            };
            self.contents.of[o.index()] = Some(content);
        }
        self.contents.of[o.index()].as_ref().expect("just made")
    }

    fn fields(&mut self, o: ObjectId) -> &mut Fields {
        match &mut self.contents.of[o.index()] {
            Some(Content::Fields(fields)) => fields,
            _ => unreachable!("only for objects with fields"),
        }
    }

    fn granule(&mut self, o: ObjectId, g: u32) -> Node {
        let at = match self.fields(o).granules.binary_search_by_key(&g, |(g, _)| *g) {
            Ok(at) => return self.fields(o).granules[at].1,
            Err(at) => at,
        };
        let node = self.add_content_node();
        self.fields(o).granules.insert(at, (g, node));
        for c in 0..=ALL {
            if let Some(class) = self.fields(o).classes[c]
                && self.contents.class_holds(c, g)
            {
                self.add_content_edge(class.written, node);
                self.add_content_edge(node, class.read);
            }
        }
        node
    }

    fn class(&mut self, o: ObjectId, c: usize) -> Class {
        if let Some(class) = self.fields(o).classes[c] {
            return class;
        }
        let class = Class { read: self.add_content_node(), written: self.add_content_node() };
        self.fields(o).classes[c] = Some(class);
        self.add_content_edge(class.written, class.read);
        for i in 0..self.fields(o).granules.len() {
            let (g, node) = self.fields(o).granules[i];
            if self.contents.class_holds(c, g) {
                self.add_content_edge(class.written, node);
                self.add_content_edge(node, class.read);
            }
        }
        for d in (0..=ALL).filter(|&d| d != c && classes_meet(c, d)) {
            if let Some(other) = self.fields(o).classes[d] {
                self.add_content_edge(class.written, other.read);
                self.add_content_edge(other.written, class.read);
            }
        }
        class
    }

    /// The content node of the outside: what is written there may be read back from there.
    pub(super) fn outside_content(&mut self, o: ObjectId) -> Node {
        let n = self.add_content_node();
        self.contents.of[o.index()] = Some(Content::Flat(n));
        self.add_location(n, (o, Offset::ANY));
        n
    }

    fn add_content_edge(&mut self, from: Node, to: Node) {
        self.add_flow(from, to, Flow::Plain);
    }
}
