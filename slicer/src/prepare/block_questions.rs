//! Answers to questions about blocks of memory: how many bytes they have, where they begin. A program asks through `realloc`, and through
//! functions of other verifiers (`__CPROVER_r_ok`).
//!
//! Sizes do not lie in the memory of the program, where it could change them. Where a question is about blocks of one constant size that never
//! end, the size is that. Otherwise, a table of its own holds the sizes of heap blocks by their addresses; the sites note there what they make,
//! and calls of `free` that it is gone. A slot of the stack has a variable. What is asked about a block from outside stays an input, and so does what
//! is asked about too many objects.
//!
//! Blocks are known by their addresses: what lies beyond a block, in the slot of another one, counts as a part of that.

use crate::cfa_edit;
use crate::points_to::PointsTo;
use crate::prepare::layout::SiteRanges;
use crate::prepare::occurrences::Occurrences;
use crate::prepare::pointer_order::{begin_of_block, in_one_block};
use crate::prepare::tables::{new_table, set_first};
use cfa::bv::{Bv, BvCmp, BvOp};
use cfa::term::{Sort, Term};
use cfa::{
    Allocation, Asks, BlockQuestion, Cfa, Edge, EdgeId, FuncId, Lifetime, ObjectId, ObjectKind, Op, Scope, Slot, VarId,
};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of objects in which an address is looked for.
const OBJECTS: usize = 16;

/// Questions by the edges of the inputs that stand for the answers.
type Questions = FxHashMap<EdgeId, BlockQuestion>;

/// The sites about whose blocks something is asked, ascending.
pub(super) fn asked_sites(cfa: &Cfa, questions: &Questions, points_to: &PointsTo) -> Vec<ObjectId> {
    let extents = questions.values().filter(|question| question.asks != Asks::Size);
    let mut sites: Vec<ObjectId> =
        extents.filter_map(|question| objects(cfa, points_to, question.address)).flatten().collect();
    sites.retain(|o| matches!(cfa.objects[*o].kind, ObjectKind::Site(_)));
    sites.sort_unstable();
    sites.dedup();
    sites
}

/// Replaces the inputs that stand for answers by the answers.
pub(super) fn answer_block_questions(
    cfa: &mut Cfa,
    questions: &Questions,
    points_to: &PointsTo,
    (ranges, occurrences): (&SiteRanges, &Occurrences),
) {
    let mut ordered: Vec<(EdgeId, BlockQuestion)> = questions.iter().map(|(e, q)| (*e, *q)).collect();
    ordered.sort_unstable_by_key(|(e, _)| *e);
    let mut sizes = Sizes::default();
    for (e, BlockQuestion { address, asks }) in ordered {
        let Op::Input { var, .. } = cfa.edges[e].op else { continue };
        let answer = match asks {
            Asks::Size if points_to.may_be_outside(address) => {
                sizes.of_some_blocks(cfa, points_to, address, e);
                continue;
            }
            Asks::Size => sizes.of_blocks(cfa, points_to, address),
            _ => objects(cfa, points_to, address).map(|objects| {
                let block = Block::of(cfa, &mut sizes, (address, asks), &objects, (points_to, ranges, occurrences));
                block.answer(cfa, address, asks)
            }),
        };
        if let Some(answer) = answer {
            cfa.edges[e].op = Op::assign(var, answer);
        }
    }
    sizes.note(cfa, points_to);
}

/// The objects in which an address may lie; `None` if they are not known, or too many.
fn objects(cfa: &Cfa, points_to: &PointsTo, address: Term) -> Option<BTreeSet<ObjectId>> {
    let objects: BTreeSet<ObjectId> = points_to.of(address).iter().map(|p| p.0).collect();
    let is_known = |o: &ObjectId| match cfa.objects[*o].kind {
        // The blocks of `alloca` end in many ways.
        ObjectKind::Site(_) => cfa.objects[*o].heap,
        ObjectKind::Global | ObjectKind::Stack(_) => cfa.objects[*o].size_bytes.is_some(),
        ObjectKind::Function(_) | ObjectKind::Outside => false,
    };
    (objects.len() <= OBJECTS && objects.iter().all(is_known)).then_some(objects)
}

/// The block in which an address lies, or at whose end.
struct Block {
    begin: Term,
    bytes: Term,
}

impl Block {
    fn of(
        cfa: &mut Cfa,
        sizes: &mut Sizes,
        (address, asks): (Term, Asks),
        objects: &BTreeSet<ObjectId>,
        (points_to, ranges, occurrences): (&PointsTo, &SiteRanges, &Occurrences),
    ) -> Block {
        let mut places: Vec<(Term, Block)> = Vec::new();
        for &o in objects {
            let begin = begin_of_block(cfa, o, ranges, address);
            let is_here = in_one_block(cfa, o, ranges, (address, begin));
            let width = cfa.pointer_bits;
            let bytes = match (cfa.objects[o].kind, cfa.objects[o].size_bytes) {
                _ if asks == Asks::LeftToWrite && cfa.objects[o].constant => cfa.terms.int(width, 0),
                (ObjectKind::Global, Some(bytes)) => cfa.terms.int(width, bytes),
                (ObjectKind::Stack(f), Some(bytes)) => sizes.of_slot(cfa, o, f, bytes),
                (_, Some(bytes)) if occurrences.is_single(o) && !is_freed(cfa, points_to, o) => {
                    let base = cfa.terms.addr(o, width);
                    let (is_first, bytes) = (cfa.terms.eq(begin, base), cfa.terms.int(width, bytes));
                    let none = cfa.terms.int(width, 0);
                    cfa.terms.ite(is_first, bytes, none)
                }
                _ => sizes.in_table(cfa, o, begin),
            };
            places.push((is_here, Block { begin, bytes }));
        }
        let mut block = Block { begin: address, bytes: cfa.terms.int(cfa.pointer_bits, 0) };
        for (is_here, place) in &places {
            block = place.or(cfa, *is_here, &block);
        }
        // Where one object ends, another one may begin: the address is in that.
        if places.len() > 1 {
            for (is_here, place) in &places {
                let offset = cfa.terms.bv_op(BvOp::Sub, address, place.begin);
                let is_before_end = cfa.terms.cmp(BvCmp::Ult, offset, place.bytes);
                let is_inside = cfa.terms.and(*is_here, is_before_end);
                block = place.or(cfa, is_inside, &block);
            }
        }
        block
    }

    /// This block if a condition holds, and the other one otherwise.
    fn or(&self, cfa: &mut Cfa, cond: Term, other: &Block) -> Block {
        let begin = cfa.terms.ite(cond, self.begin, other.begin);
        Block { begin, bytes: cfa.terms.ite(cond, self.bytes, other.bytes) }
    }

    fn answer(&self, cfa: &mut Cfa, address: Term, asks: Asks) -> Term {
        let width = cfa.pointer_bits;
        let terms = &mut cfa.terms;
        let offset = terms.bv_op(BvOp::Sub, address, self.begin);
        match asks {
            Asks::Size | Asks::Extent => self.bytes,
            Asks::Begin => self.begin,
            Asks::Offset => offset,
            Asks::Left | Asks::LeftToWrite => {
                let (within, exists) = (terms.cmp(BvCmp::Ule, offset, self.bytes), terms.nonzero(self.bytes));
                let (left, none) = (terms.bv_op(BvOp::Sub, self.bytes, offset), terms.constant(&Bv::ones(width)));
                let is_there = terms.and(exists, within);
                terms.ite(is_there, left, none)
            }
        }
    }
}

/// Whether some call of `free` may free a block of `o`.
fn is_freed(cfa: &Cfa, points_to: &PointsTo, o: ObjectId) -> bool {
    cfa.frees.values().any(|address| may_free(points_to, *address, o))
}

/// Whether a block of `o` may be at an address. An address from outside may be one of what the outside knows.
fn may_free(points_to: &PointsTo, address: Term, o: ObjectId) -> bool {
    let is_from_outside = || points_to.may_be_outside(address) && points_to.known().binary_search(&o).is_ok();
    points_to.of(address).iter().any(|p| p.0 == o) || is_from_outside()
}

/// Where the program keeps the sizes of blocks for answers.
#[derive(Default)]
struct Sizes {
    /// Of each address at which a heap block begins, its size. Cells do not overlap, because blocks are aligned to more bytes.
    table: Option<VarId>,
    /// The sites that note in the table what they make, and whether calls of `free` note there that it is gone.
    sites: BTreeMap<ObjectId, bool>,
    /// For slots of the stack, the variables with their sizes, which are 0 while they do not exist.
    slots: BTreeMap<ObjectId, VarId>,
}

impl Sizes {
    /// The number of bytes of the heap block that begins at `address`; `None` if there is none.
    fn of_blocks(&mut self, cfa: &mut Cfa, points_to: &PointsTo, address: Term) -> Option<Term> {
        let blocks: BTreeSet<ObjectId> =
            points_to.of(address).iter().map(|p| p.0).filter(|o| cfa.objects[*o].heap).collect();
        if blocks.is_empty() {
            return None;
        }
        if let Some(bytes) = common_size(cfa, &blocks) {
            return Some(cfa.terms.int(cfa.pointer_bits, bytes));
        }
        for o in blocks {
            self.sites.entry(o).or_insert(false);
        }
        Some(self.read(cfa, address))
    }

    /// Lets the input at `e` stand for the size of a block from outside only. No such block lies where one of the program's does.
    fn of_some_blocks(&mut self, cfa: &mut Cfa, points_to: &PointsTo, address: Term, e: EdgeId) {
        let Op::Input { var, .. } = cfa.edges[e].op else { return };
        let pointed = points_to.of(address).iter().map(|p| p.0);
        let blocks: Vec<ObjectId> =
            pointed.chain(points_to.known().iter().copied()).filter(|o| cfa.objects[*o].heap).collect();
        if blocks.is_empty() {
            return;
        }
        for o in blocks {
            self.sites.entry(o).or_insert(false);
        }
        let size = self.read(cfa, address);
        let is_known = cfa.terms.nonzero(size);
        let is_unknown = cfa.terms.not(is_known);
        let Edge { from, to, .. } = cfa.edges[e];
        let (known, unknown) = (cfa_edit::new_loc(cfa, from), cfa_edit::new_loc(cfa, from));
        cfa_edit::move_source(cfa, e, unknown);
        cfa_edit::add_like(cfa, e, from, unknown, Op::branch(is_unknown));
        cfa_edit::add_like(cfa, e, from, known, Op::branch(is_known));
        cfa_edit::add_like(cfa, e, known, to, Op::assign(var, size));
    }

    /// The number of bytes of the block of `o` that begins at `begin`; 0 if there is none.
    fn in_table(&mut self, cfa: &mut Cfa, o: ObjectId, begin: Term) -> Term {
        self.sites.insert(o, true);
        self.read(cfa, begin)
    }

    fn read(&mut self, cfa: &mut Cfa, begin: Term) -> Term {
        let table = *self.table.get_or_insert_with(|| {
            let (width, none) = (cfa.pointer_bits, cfa.terms.int(cfa.pointer_bits, 0));
            new_table(cfa, "sizes of blocks", width, width, Some(none))
        });
        let sizes = cfa.var_term(table);
        cfa.terms.read(sizes, begin, cfa.pointer_bits)
    }

    /// The present number of bytes of a slot of `f`.
    fn of_slot(&mut self, cfa: &mut Cfa, o: ObjectId, f: FuncId, bytes: u64) -> Term {
        let var = *self.slots.entry(o).or_insert_with(|| new_slot(cfa, o, f, bytes));
        cfa.var_term(var)
    }

    /// Lets sites and calls of `free` note what they make and what is gone.
    fn note(&self, cfa: &mut Cfa, points_to: &PointsTo) {
        let Some(table) = self.table else { return };
        let mut edges: Vec<EdgeId> = cfa.allocations.keys().copied().collect();
        edges.sort_unstable();
        for e in edges {
            let Allocation { object, var, size } = cfa.allocations[&e];
            let Op::Assign(list) = &cfa.edges[e].op else { continue };
            let address = list.iter().find(|(v, _)| *v == var).map(|(_, t)| *t);
            let Some(address) = address.filter(|_| self.sites.contains_key(&object)) else { continue };
            set_size(cfa, table, e, address, size);
        }
        let ends = |address: &Term| self.sites.iter().any(|(o, ends)| *ends && may_free(points_to, *address, *o));
        let mut freed: Vec<(EdgeId, Term)> =
            cfa.frees.iter().filter(|(_, address)| ends(address)).map(|(e, t)| (*e, *t)).collect();
        freed.sort_unstable();
        for (e, address) in freed {
            let none = cfa.terms.int(cfa.pointer_bits, 0);
            set_size(cfa, table, e, address, none);
        }
    }
}

/// The size of all `blocks`, if it is one and constant.
fn common_size(cfa: &Cfa, blocks: &BTreeSet<ObjectId>) -> Option<u64> {
    let mut sizes = blocks.iter().map(|o| cfa.objects[*o].size_bytes);
    let first = sizes.next()??;
    sizes.all(|size| size == Some(first)).then_some(first)
}

/// A variable with the size of a slot of `f` while it exists, and 0 otherwise.
fn new_slot(cfa: &mut Cfa, o: ObjectId, f: FuncId, bytes: u64) -> VarId {
    let width = cfa.pointer_bits;
    let var = cfa.add_var(format!("size of {}", cfa.objects[o].name), Sort::Bv(width), Scope::Global);
    let (bytes, none) = (cfa.terms.int(width, bytes), cfa.terms.int(width, 0));
    let (begins, ends) = (Op::assign(var, bytes), Op::assign(var, none));
    let mut events: Vec<(EdgeId, bool)> = Vec::new();
    for (e, event) in &cfa.lifetimes {
        match event {
            Lifetime::Starts(Slot::Object(slot)) if *slot == o => events.push((*e, true)),
            Lifetime::Ends(Slot::Object(slot)) if *slot == o => events.push((*e, false)),
            _ => {}
        }
    }
    events.sort_unstable();
    let is_scoped = events.iter().any(|(_, starts)| *starts);
    for (e, starts) in events {
        cfa_edit::insert_before(cfa, e, if starts { begins.clone() } else { ends.clone() });
    }
    for e in cfa.locs[cfa.funcs[f].exit].into.clone() {
        cfa_edit::insert_before(cfa, e, ends.clone());
    }
    if !is_scoped {
        cfa_edit::insert_at(cfa, cfa.funcs[f].entry, begins);
    }
    set_first(cfa, ends);
    var
}

/// Notes before `e` that the block at `address` has `bytes` bytes.
fn set_size(cfa: &mut Cfa, table: VarId, e: EdgeId, address: Term, bytes: Term) {
    let sizes = cfa.var_term(table);
    let sizes = cfa.terms.write(sizes, address, bytes);
    cfa_edit::insert_before(cfa, e, Op::assign(table, sizes));
}
