//! The sizes of heap blocks, which a program can ask for through `realloc` only.
//!
//! They do not lie in the memory of the program, where it could change them. If the blocks that are asked about all have one
//! constant size, it is that. Otherwise, a table of its own holds the sizes by the blocks' addresses; the sites note there what they
//! make. The size of a block that may be one from outside stays an input.

use crate::cfa_edit;
use crate::points_to::PointsTo;
use cfa::term::{Sort, Term};
use cfa::{Allocation, Cfa, EdgeId, ObjectId, Op, Scope, VarId};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Replaces the inputs `asked`, which stand for the sizes of the blocks at some addresses, by these sizes.
pub(super) fn find_block_sizes(cfa: &mut Cfa, asked: &FxHashMap<EdgeId, Term>, points_to: &PointsTo) {
    let mut asked: Vec<(EdgeId, Term)> = asked.iter().map(|(e, t)| (*e, *t)).collect();
    asked.sort_unstable();
    let mut noted = BTreeSet::new();
    let mut table = None;
    for (e, address) in asked {
        let Op::Input { var, .. } = cfa.edges[e].op else { continue };
        let blocks = blocks(cfa, points_to, address);
        if blocks.is_empty() || points_to.may_be_outside(address) {
            continue;
        }
        let size = match common_size(cfa, &blocks) {
            Some(bytes) => cfa.terms.int(cfa.pointer_bits, bytes),
            None => {
                noted.extend(blocks);
                let table = *table.get_or_insert_with(|| new_table(cfa));
                let sizes = cfa.var_term(table);
                cfa.terms.read(sizes, address, cfa.pointer_bits)
            }
        };
        cfa.edges[e].op = Op::assign(var, size);
    }
    if let Some(table) = table {
        note_sizes(cfa, table, &noted);
    }
}

/// The heap objects to which `address` may point, ascending.
fn blocks(cfa: &Cfa, points_to: &PointsTo, address: Term) -> BTreeSet<ObjectId> {
    points_to.of(address).iter().map(|p| p.0).filter(|o| cfa.objects[*o].heap).collect()
}

/// The size of all `blocks`, if it is one and constant.
fn common_size(cfa: &Cfa, blocks: &BTreeSet<ObjectId>) -> Option<u64> {
    let mut sizes = blocks.iter().map(|o| cfa.objects[*o].size_bytes);
    let first = sizes.next()??;
    sizes.all(|size| size == Some(first)).then_some(first)
}

/// A table of sizes, of which each address of a block has one. Its cells do not overlap, because blocks are aligned to more bytes.
fn new_table(cfa: &mut Cfa) -> VarId {
    let sort = Sort::Array { index: cfa.pointer_bits, elem: cfa.pointer_bits };
    let table = cfa.add_var("sizes of blocks", sort, Scope::Global);
    cfa.memory.objects.insert(table, Vec::new());
    table
}

/// Lets the sites of `objects` note the sizes of the blocks that they make.
fn note_sizes(cfa: &mut Cfa, table: VarId, objects: &BTreeSet<ObjectId>) {
    let mut edges: Vec<EdgeId> = cfa.allocations.keys().copied().collect();
    edges.sort_unstable();
    for e in edges {
        let Allocation { object, var, size } = cfa.allocations[&e];
        let Op::Assign(list) = &cfa.edges[e].op else { continue };
        let address = list.iter().find(|(v, _)| *v == var).map(|(_, t)| *t);
        let Some(address) = address.filter(|_| objects.contains(&object)) else { continue };
        let sizes = cfa.var_term(table);
        let sizes = cfa.terms.write(sizes, address, size);
        cfa_edit::insert_before(cfa, e, Op::assign(table, sizes));
    }
}
