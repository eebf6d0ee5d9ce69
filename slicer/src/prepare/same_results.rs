//! Undefined functions whose results depend on their arguments alone: declared `const`, or CBMC's uninterpreted functions.
//!
//! Each such function is a table, an input, from which results are read by the arguments. The table has one index; several arguments are
//! first named by numbers, by tables that are inputs, too. Any function is such a table: some names are different for all arguments that
//! an execution has.
//!
//! ```text
//! var := ? f     -->     var := ? f;  assume var == f[a]
//! var := ? g     -->     var := ? g;  assume var == g[first[a] * 2^32 + second[b]]
//! ```

use crate::cfa_edit;
use crate::points_to::PointsTo;
use crate::prepare::occurrences::Occurrences;
use crate::prepare::tables::new_table;
use cfa::{AssumeKind, Cfa, Determined, EdgeId, ObjectKind, Op, Sort, Term, VarId};
use rustc_hash::FxHashMap;

/// Width of an index of a table.
const INDEX_BITS: u32 = 64;
/// Width of a name of arguments.
const NAME_BITS: u32 = 32;

/// Lets results that are the same for the same arguments be so. Arguments that may be addresses of slots which begin several times are an
/// exception: their address here may be one of several.
pub(super) fn equate_results(cfa: &mut Cfa, points_to: &PointsTo, occurrences: &Occurrences) {
    let mut results: Vec<EdgeId> = cfa.determined.keys().copied().collect();
    results.sort_unstable();
    let mut tables = Tables::default();
    for e in results {
        let Op::Input { var, .. } = cfa.edges[e].op else { continue };
        let Determined { part, by, .. } = cfa.determined[&e].clone();
        let Some(function) = cfa.external_calls.get(&e).cloned() else { continue };
        let has_one_address = |o| match cfa.objects[o].kind {
            ObjectKind::Stack(f) => occurrences.runs_once(f),
            ObjectKind::Site(_) => cfa.objects[o].heap,
            ObjectKind::Global | ObjectKind::Function(_) | ObjectKind::Outside => true,
        };
        if !by.iter().all(|t| points_to.of(*t).iter().all(|p| has_one_address(p.0))) {
            continue;
        }
        let Sort::Bv(width) = cfa.vars[var].sort else { continue };
        let at = index(cfa, &mut tables, &function, &by);
        let cell_bits = width.next_multiple_of(8);
        let widths = by.iter().map(|t| cfa.terms.width(*t).to_string()).collect::<Vec<_>>().join(" ");
        let table = tables.get(cfa, format!("{function}.{part} ({widths}) {width}"), cell_bits);
        let results = cfa.var_term(table);
        let cell = cfa.terms.read(results, at, cell_bits);
        let cell = cfa.terms.resize(width, cell);
        let result = cfa.var_term(var);
        let cond = cfa.terms.eq(result, cell);
        cfa_edit::insert_after(cfa, e, Op::Assume { cond, kind: AssumeKind::Guard });
        if let Some(determined) = cfa.determined.get_mut(&e) {
            determined.noted = Some((table, at));
        }
    }
}

/// The tables by their names.
#[derive(Default)]
struct Tables(FxHashMap<String, VarId>);

impl Tables {
    fn get(&mut self, cfa: &mut Cfa, name: String, cell_bits: u32) -> VarId {
        let Tables(known) = self;
        if let Some(table) = known.get(&name) {
            return *table;
        }
        let table = new_table(cfa, &format!("results of {name}"), INDEX_BITS, cell_bits, None);
        known.insert(name, table);
        table
    }
}

/// An index for arguments, which is another one for other arguments if names are.
fn index(cfa: &mut Cfa, tables: &mut Tables, function: &str, arguments: &[Term]) -> Term {
    let mut pieces = Vec::new();
    for &t in arguments {
        let width = cfa.terms.width(t);
        for low in (0..width).step_by(INDEX_BITS as usize) {
            let piece = cfa.terms.extract((low + INDEX_BITS).min(width) - 1, low, t);
            pieces.push(cfa.terms.zext(INDEX_BITS, piece));
        }
    }
    let mut pieces = pieces.into_iter();
    let Some(mut all) = pieces.next() else { return cfa.terms.int(INDEX_BITS, 0) };
    for (i, piece) in pieces.enumerate() {
        let [before, this] = [(all, "before"), (piece, "argument")].map(|(t, what)| {
            let names = tables.get(cfa, format!("{function}, {what} {i}"), NAME_BITS);
            let names = cfa.var_term(names);
            cfa.terms.read(names, t, NAME_BITS)
        });
        all = cfa.terms.concat(before, this);
    }
    all
}
