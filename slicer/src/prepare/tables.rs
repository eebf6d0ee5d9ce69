//! Tables: arrays that are no memory of the program, but tell what kerf has to know about addresses or arguments.

use crate::cfa_edit;
use cfa::{Cfa, EdgeId, InputKind, Op, Scope, Sort, Term, VarId};

/// A table with a number of `cell_bits` bits for each index of `index_bits` bits. Before anything else is executed, all of them are set to
/// `initial`, or to any numbers, which are the same in the whole execution, if there is none.
pub(super) fn new_table(cfa: &mut Cfa, name: &str, index_bits: u32, cell_bits: u32, initial: Option<Term>) -> VarId {
    let sort = Sort::Array { index: index_bits, elem: cell_bits };
    let table = cfa.add_var(name, sort, Scope::Global);
    cfa.memory.objects.insert(table, Vec::new());
    let op = match initial {
        Some(value) => Op::assign(table, cfa.terms.const_array(index_bits, value)),
        None => Op::Input { var: table, kind: InputKind::Layout },
    };
    set_first(cfa, op);
    table
}

/// Inserts an operation before anything else is executed.
pub(super) fn set_first(cfa: &mut Cfa, op: Op) -> EdgeId {
    let first = cfa.out(cfa.funcs[cfa.entry].entry)[0];
    cfa_edit::insert_before(cfa, first, op)
}
