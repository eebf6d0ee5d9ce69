//! Indexes the constructs by the instruction, parameter or block of the module that they are, and the edges by their construct.

use crate::ir::{Block, Module, Value};
use crate::provenance::{Construct, Provenance};
use cfa::{AssumeKind, Cfa, EdgeId, FuncId, Id, Op, Origin, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// A transition from a terminator: its number and the target block.
pub(super) type Way<'m> = (Origin, Block<'m>);

/// Looks up constructs and edges.
pub(super) struct Index<'a, 'm> {
    pub cfa: &'a Cfa,
    pub program: &'a Module<'m>,
    pub provenance: &'a Provenance<'m>,
    /// The LLVM functions, by CFA function.
    pub function_of: FxHashMap<FuncId, Value<'m>>,
    /// For each transfer variable of a parameter, the parameter's position in LLVM; `None` for the variadic arguments.
    pub transfers: FxHashMap<VarId, Option<u32>>,
    instructions: FxHashMap<Value<'m>, Origin>,
    parameters: FxHashMap<Value<'m>, Origin>,
    ways: FxHashMap<Value<'m>, Vec<Way<'m>>>,
    /// By the block whose phi nodes are assigned: the predecessors, each with its number.
    moves: FxHashMap<Block<'m>, Vec<(Block<'m>, Origin)>>,
    /// The edges by origin: those of origin `i` are `edges[first[i]..first[i + 1]]`.
    first: Vec<u32>,
    edges: Vec<EdgeId>,
}

impl<'a, 'm> Index<'a, 'm> {
    pub(super) fn new(cfa: &'a Cfa, program: &'a Module<'m>, provenance: &'a Provenance<'m>) -> Index<'a, 'm> {
        let n = provenance.constructs().len();
        let (first, edges) = edges_by_origin(cfa, n);
        let mut index = Index {
            cfa,
            program,
            provenance,
            function_of: provenance.functions.iter().map(|(v, f)| (*f, *v)).collect(),
            transfers: FxHashMap::default(),
            instructions: FxHashMap::default(),
            parameters: FxHashMap::default(),
            ways: FxHashMap::default(),
            moves: FxHashMap::default(),
            first,
            edges,
        };
        for (i, construct) in provenance.constructs().iter().enumerate() {
            let origin = Origin(i as u32);
            match *construct {
                Construct::Instruction(inst) => {
                    index.instructions.insert(inst, origin);
                }
                Construct::Parameter(param) => {
                    index.parameters.insert(param, origin);
                }
                Construct::Way { terminator, to } => index.ways.entry(terminator).or_default().push((origin, to)),
                Construct::Moves { from, to } => index.moves.entry(to).or_default().push((from, origin)),
            }
        }
        for (f, arguments) in &provenance.arguments {
            let function = &cfa.funcs[*f];
            let params = function.params.iter().zip(arguments).map(|(v, i)| (*v, Some(*i)));
            index.transfers.extend(params.chain(function.varargs.map(|v| (v, None))));
        }
        index
    }

    /// The construct with this number.
    pub(super) fn construct(&self, origin: Origin) -> Option<Construct<'m>> {
        self.provenance.constructs().get(origin.0 as usize).copied()
    }

    /// The number of an instruction; `None` if the lowering never reached it.
    pub(super) fn origin(&self, inst: Value<'m>) -> Option<Origin> {
        self.instructions.get(&inst).copied()
    }

    /// The edges that come from a construct.
    pub(super) fn edges(&self, origin: Origin) -> &[EdgeId] {
        let i = origin.0 as usize;
        if i + 1 >= self.first.len() {
            return &[];
        }
        &self.edges[self.first[i] as usize..self.first[i + 1] as usize]
    }

    /// The edges that come from an instruction itself.
    pub(super) fn edges_of(&self, inst: Value<'m>) -> &[EdgeId] {
        self.origin(inst).map_or(&[], |o| self.edges(o))
    }

    /// The edges that copy a parameter at the function's entry.
    pub(super) fn edges_of_parameter(&self, param: Value<'m>) -> &[EdgeId] {
        self.parameters.get(&param).map_or(&[], |o| self.edges(*o))
    }

    /// The transitions from a terminator that the lowering took, in the order of their tests.
    pub(super) fn ways(&self, terminator: Value<'m>) -> &[Way<'m>] {
        self.ways.get(&terminator).map_or(&[], Vec::as_slice)
    }

    /// The predecessors from which the phi nodes of a block are assigned, each with the number of the assigning edges.
    pub(super) fn moves(&self, block: Block<'m>) -> &[(Block<'m>, Origin)] {
        self.moves.get(&block).map_or(&[], Vec::as_slice)
    }

    /// The edge of a transition that tests whether it is taken.
    pub(super) fn test(&self, way: Origin) -> Option<EdgeId> {
        self.edges(way).iter().copied().find(|e| matches!(self.cfa.edges[*e].op, Op::Assume { .. }))
    }

    /// The edge that is taken if a test does not hold.
    pub(super) fn otherwise(&self, test: EdgeId) -> Option<EdgeId> {
        self.cfa.out(self.cfa.edges[test].from).iter().copied().find(|e| *e != test)
    }

    /// Whether an edge ends executions that would trap.
    pub(super) fn is_guard(&self, e: EdgeId) -> bool {
        matches!(self.cfa.edges[e].op, Op::Assume { kind: AssumeKind::Guard, .. })
    }

    /// Whether an instruction calls functions of the CFA, with arguments in transfer variables.
    pub(super) fn calls_bodies(&self, inst: Value<'m>) -> bool {
        self.edges_of(inst).iter().any(|e| match &self.cfa.edges[*e].op {
            Op::Call(_) => true,
            Op::Assign(list) => matches!(**list, [(v, _)] if self.transfers.contains_key(&v)),
            _ => false,
        })
    }

    /// Whether the body of a CFA function is the one in the program's module, not that of a library model or a stub.
    pub(super) fn is_of_program(&self, f: FuncId) -> bool {
        !self.cfa.funcs[f].library && self.function_of.get(&f).is_some_and(|v| !v.is_declaration())
    }

    /// The functions of the module whose bodies were lowered.
    pub(super) fn lowered(&self) -> FxHashSet<Value<'m>> {
        // A target whose address is taken has a function in the automaton, but not of its body.
        let is_lowered = |v: &Value<'m>| v.entry_block().instructions().into_iter().any(|i| self.origin(i).is_some());
        let of_program = self.provenance.functions.iter().filter(|(_, f)| self.is_of_program(**f)).map(|(v, _)| *v);
        of_program.filter(is_lowered).collect()
    }
}

/// A stable counting sort of the edges by origin.
fn edges_by_origin(cfa: &Cfa, n: usize) -> (Vec<u32>, Vec<EdgeId>) {
    let mut first = vec![0u32; n + 1];
    for edge in cfa.edges.iter().filter(|e| e.origin != Origin::NONE) {
        first[edge.origin.0 as usize + 1] += 1;
    }
    for i in 0..n {
        first[i + 1] += first[i];
    }
    let mut next = first.clone();
    let mut edges = vec![EdgeId::from_index(0); first[n] as usize];
    for (e, edge) in cfa.edges.iter_enumerated().filter(|(_, e)| e.origin != Origin::NONE) {
        let at = &mut next[edge.origin.0 as usize];
        edges[*at as usize] = e;
        *at += 1;
    }
    (first, edges)
}
