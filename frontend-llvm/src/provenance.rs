//! Which part of the LLVM module each edge of the CFA comes from.
//!
//! The lowering numbers the constructs of the program's module in the order in which it meets them, and stamps each edge with the
//! number of the one at hand ([`cfa::Origin`]); a construct without an edge of its own (pure arithmetic, folded into its users)
//! has a number all the same, so that one without a number was never reached. Library models and the synthetic start have none.

use crate::debug_info::DebugInfo;
use crate::ir::{Block, Module, Value};
use crate::session::Session;
use cfa::{FuncId, Origin};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What an edge can come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Construct {
    /// An instruction that is no phi.
    Instruction(Value),
    /// The way from a terminator to one of its successors: the test that leads there.
    Way { terminator: Value, to: Block },
    /// The phi nodes of a block, set on the way from one of its predecessors.
    Moves { from: Block, to: Block },
    /// A parameter, taken over at a function's entry.
    Parameter(Value),
}

/// The numbering of constructs.
#[derive(Debug, Default)]
pub(crate) struct Provenance {
    constructs: Vec<Construct>,
    /// The CFA function of each function of LLVM's, of the program and of the library.
    pub functions: FxHashMap<Value, FuncId>,
    /// For each CFA function, to which parameter in LLVM each of its transfer variables belongs.
    pub arguments: FxHashMap<FuncId, Vec<u32>>,
}

impl Provenance {
    /// All constructs by number.
    pub fn constructs(&self) -> &[Construct] {
        &self.constructs
    }

    /// Numbers a construct.
    pub fn note(&mut self, construct: Construct) -> Origin {
        let number = u32::try_from(self.constructs.len()).expect("fewer than 2^32 constructs");
        self.constructs.push(construct);
        Origin(number)
    }
}

/// How large a module is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ModuleSize {
    /// Global variables.
    pub globals: usize,
    /// Functions with a body.
    pub functions: usize,
    /// Their blocks.
    pub blocks: usize,
    /// Their instructions.
    pub instructions: usize,
}

impl ModuleSize {
    /// Counts.
    pub(crate) fn of(module: Module) -> ModuleSize {
        let mut size = ModuleSize { globals: module.globals().len(), ..ModuleSize::default() };
        for f in module.functions().into_iter().filter(|f| !f.is_declaration()) {
            let blocks = f.blocks();
            size.functions += 1;
            size.blocks += blocks.len();
            let code = blocks.iter().flat_map(|b| b.instructions()).filter(|i| !i.is_debug_instruction());
            size.instructions += code.count();
        }
        size
    }
}

/// The LLVM module of a loaded program, with what links it to the CFA.
pub struct ProgramModule {
    pub(crate) session: Session,
    pub(crate) provenance: Provenance,
    /// As it was read, before anything was inlined.
    pub(crate) size: ModuleSize,
}

impl ProgramModule {
    /// How many constructs are numbered; origins are below.
    pub fn n_origins(&self) -> usize {
        self.provenance.constructs.len()
    }

    /// How large the module is that was read.
    pub fn size(&self) -> ModuleSize {
        self.size
    }

    /// Files and lines with code in functions that no execution calls, which have no edges: ascending, each once.
    pub fn lines_never_called(&self) -> Vec<(String, u32)> {
        let Some(module) = self.session.program() else { return Vec::new() };
        let (mut debug, mut files) = (DebugInfo::of(module), vec![String::new()]);
        // Where all calls of a function were inlined, its lines are executed elsewhere.
        let (mut called, mut never) = (BTreeSet::new(), BTreeSet::new());
        for f in module.functions().into_iter().filter(|f| !f.is_declaration()) {
            let lines = if self.provenance.functions.contains_key(&f) { &mut called } else { &mut never };
            let code = f.blocks().into_iter().flat_map(|b| b.instructions()).filter(|i| !i.is_debug_instruction());
            lines.extend(code.filter_map(|inst| debug.span(&mut files, inst)).map(|s| (s.file, s.line)));
        }
        let named = never.difference(&called).filter(|(file, _)| *file > 0);
        named.map(|(file, line)| (files[*file as usize].clone(), *line)).collect()
    }

    /// Which instruction an edge comes from: its function's name, and the numbers (from 0) of its block and of the instruction
    /// in the block. `None` for [`Origin::NONE`] and for parameters; phi nodes set on an edge count as its terminator.
    pub fn instruction(&self, origin: Origin) -> Option<(String, usize, usize)> {
        let inst = match *self.provenance.constructs.get(origin.0 as usize)? {
            Construct::Instruction(inst) => inst,
            Construct::Way { terminator, .. } => terminator,
            Construct::Moves { from, .. } => from.terminator()?,
            Construct::Parameter(_) => return None,
        };
        let block = inst.parent();
        let function = block.function();
        let b = function.blocks().iter().position(|x| *x == block)?;
        let i = block.instructions().iter().position(|x| *x == inst)?;
        Some((function.name(), b, i))
    }
}

impl std::fmt::Debug for ProgramModule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProgramModule").field("constructs", &self.n_origins()).finish_non_exhaustive()
    }
}
