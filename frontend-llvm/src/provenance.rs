//! Which part of the LLVM module each edge of the CFA comes from.
//!
//! The lowering numbers the constructs of the program's module in the order in which it meets them, and stamps each edge with the
//! number of the current one ([`cfa::Origin`]). A construct without an edge of its own (pure arithmetic that is folded into its
//! users) has a number all the same, so a construct without a number was never reached. Library models and the synthetic start
//! function have none.

use crate::debug_info::DebugInfo;
use crate::ir::{Block, Module, Opcode, Value};
use crate::raw::Llvm;
use crate::session::Session;
use anyhow::Result;
use cfa::{FuncId, Origin};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What an edge can come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Construct<'m> {
    /// An instruction other than a phi.
    Instruction(Value<'m>),
    /// The transition from a terminator to one of its successors, with the test that guards it.
    Way { terminator: Value<'m>, to: Block<'m> },
    /// The phi nodes of a block, assigned on the transition from one of its predecessors.
    Moves { from: Block<'m>, to: Block<'m> },
    /// A parameter, copied at the function's entry.
    Parameter(Value<'m>),
}

/// The numbering of constructs.
#[derive(Debug, Default)]
pub(crate) struct Provenance<'m> {
    constructs: Vec<Construct<'m>>,
    /// The CFA function of each LLVM function, of the program and of the library.
    pub functions: FxHashMap<Value<'m>, FuncId>,
    /// For each CFA function, the LLVM parameter to which each of its transfer variables belongs.
    pub arguments: FxHashMap<FuncId, Vec<u32>>,
}

impl<'m> Provenance<'m> {
    /// All constructs by number.
    pub(crate) fn constructs(&self) -> &[Construct<'m>] {
        &self.constructs
    }

    /// Numbers a construct.
    pub(crate) fn note(&mut self, construct: Construct<'m>) -> Origin {
        let number = u32::try_from(self.constructs.len()).expect("fewer than 2^32 constructs");
        self.constructs.push(construct);
        Origin(number)
    }
}

/// The size of a module.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ModuleSize {
    /// Number of global variables.
    pub globals: usize,
    /// Number of functions with a body.
    pub functions: usize,
    /// Number of blocks in these functions.
    pub blocks: usize,
    /// Number of instructions in these functions, without those that only say where a variable lies or how long it lives.
    pub instructions: usize,
}

impl ModuleSize {
    /// Counts the parts of `module`.
    pub(crate) fn of(module: &Module) -> ModuleSize {
        let mut size = ModuleSize { globals: module.globals().len(), ..ModuleSize::default() };
        for f in module.functions().into_iter().filter(|f| !f.is_declaration()) {
            let blocks = f.blocks();
            size.functions += 1;
            size.blocks += blocks.len();
            let code = blocks.iter().flat_map(|b| b.instructions()).filter(|i| !is_mark(*i));
            size.instructions += code.count();
        }
        size
    }
}

/// Whether an instruction only says where a variable lies, or how long it lives.
pub(crate) fn is_mark(inst: Value) -> bool {
    let of_lifetime = |inst: Value| {
        let called = inst.called();
        called.is_function() && called.name().starts_with("llvm.lifetime.")
    };
    inst.is_debug_instruction() || inst.opcode() == Opcode::Call && of_lifetime(inst)
}

/// The parts of a loaded program that live as long as its LLVM context. The provenance refers to the session's modules.
pub(crate) struct Parts<'m> {
    pub session: Session<'m>,
    pub provenance: Provenance<'m>,
    /// The size of the module as read, before anything was inlined.
    pub size: ModuleSize,
    /// This module as bitcode, if slices of it may be written.
    pub whole: Vec<u8>,
}

self_cell::self_cell! {
    /// The parts with the context in which they live.
    struct Owned {
        owner: Llvm,
        #[not_covariant]
        dependent: Parts,
    }
}

/// The LLVM module of a loaded program, together with its links to the CFA.
pub struct ProgramModule(Owned);

impl ProgramModule {
    /// Makes the parts in a context, and keeps both.
    pub(crate) fn new(llvm: Llvm, make: impl for<'m> FnOnce(&'m Llvm) -> Result<Parts<'m>>) -> Result<ProgramModule> {
        Ok(ProgramModule(Owned::try_new(llvm, make)?))
    }

    /// Uses the parts.
    pub(crate) fn with<R>(&self, use_parts: impl for<'m> FnOnce(&Parts<'m>) -> R) -> R {
        self.0.with_dependent(|_, parts| use_parts(parts))
    }

    /// The number of constructs; every origin is less than this.
    pub fn n_origins(&self) -> usize {
        self.with(|parts| parts.provenance.constructs.len())
    }

    /// The size of the module as read.
    pub fn size(&self) -> ModuleSize {
        self.with(|parts| parts.size)
    }

    /// The lines, with their files, that have code only in functions that no execution calls and that thus have no edges;
    /// ascending, each once.
    pub fn lines_never_called(&self) -> Vec<(String, u32)> {
        self.with(|parts| parts.lines_never_called())
    }

    /// Whether the module declares or defines a function called `name`.
    pub fn declares(&self, name: &str) -> bool {
        self.with(|parts| parts.session.program().is_some_and(|program| program.function(name).is_some()))
    }

    /// The instruction that an edge comes from: the name of its function, the index of its block (from 0), and its index in the
    /// block (from 0). `None` for [`Origin::NONE`] and for parameters; phi nodes assigned on a transition count as the
    /// terminator.
    pub fn instruction(&self, origin: Origin) -> Option<(String, usize, usize)> {
        self.with(|parts| parts.provenance.instruction(origin))
    }
}

impl<'m> Parts<'m> {
    fn lines_never_called(&self) -> Vec<(String, u32)> {
        let Some(module) = self.session.program() else { return Vec::new() };
        let (mut debug, mut files) = (DebugInfo::of(module), vec![String::new()]);
        // If all calls of a function were inlined, its lines are executed elsewhere.
        let (mut called, mut never) = (BTreeSet::new(), BTreeSet::new());
        for f in module.functions().into_iter().filter(|f| !f.is_declaration()) {
            let lines = if self.provenance.functions.contains_key(&f) { &mut called } else { &mut never };
            let code = f.blocks().into_iter().flat_map(|b| b.instructions()).filter(|i| !i.is_debug_instruction());
            lines.extend(code.filter_map(|inst| debug.span(&mut files, inst)).map(|s| (s.file, s.line)));
        }
        let named = never.difference(&called).filter(|(file, _)| *file > 0);
        named.map(|(file, line)| (files[*file as usize].clone(), *line)).collect()
    }
}

impl<'m> Provenance<'m> {
    fn instruction(&self, origin: Origin) -> Option<(String, usize, usize)> {
        let inst = match *self.constructs.get(origin.0 as usize)? {
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
