//! What a call of a function means: symbols of the program, then built-in functions, then the library's models.

use crate::builtin::{Builtin, builtin};
use crate::ir::{Linkage, Module, Value, ValueKind};
use crate::libc_names::is_libc;
use crate::load::Allocator;
use crate::session::Session;
use rustc_hash::{FxHashMap, FxHashSet};

/// What a call of a function means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Callee {
    /// A function with a body, of the program or of the library.
    Body(Value),
    /// The call violates the property.
    Target,
    /// An intrinsic of LLVM.
    Intrinsic,
    /// Lowered in place.
    Builtin(Builtin),
    /// A function of the C library without a model.
    Unmodelled,
    /// Anything else without a body.
    External,
}

/// Finds symbols by name.
pub(crate) struct Resolver<'s> {
    session: &'s Session,
    program: Module,
    pointer_bits: u32,
    targets: FxHashSet<String>,
    allocators: FxHashMap<String, Builtin>,
    callees: FxHashMap<Value, Callee>,
}

impl<'s> Resolver<'s> {
    pub fn new(
        session: &'s Session,
        program: Module,
        pointer_bits: u32,
        targets: &[String],
        allocators: &[(String, Allocator)],
    ) -> Resolver<'s> {
        let targets = targets.iter().cloned().collect();
        let like = |allocator: &Allocator| match allocator {
            Allocator::Malloc => Builtin::Malloc,
            Allocator::Calloc => Builtin::Calloc,
            Allocator::Realloc => Builtin::Realloc,
        };
        let allocators = allocators.iter().map(|(name, allocator)| (name.clone(), like(allocator))).collect();
        Resolver { session, program, pointer_bits, targets, allocators, callees: FxHashMap::default() }
    }

    /// The meaning of a call of `function` (a function, not an alias).
    pub fn callee(&mut self, function: Value) -> Callee {
        if let Some(known) = self.callees.get(&function) {
            return known.clone();
        }
        let callee = self.find(function);
        self.callees.insert(function, callee.clone());
        callee
    }

    fn find(&mut self, function: Value) -> Callee {
        if function.intrinsic_id() != 0 {
            return Callee::Intrinsic;
        }
        let name = function.name();
        let name = name.strip_prefix('\u{1}').unwrap_or(&name);
        if self.targets.contains(name) && !self.in_library(function) {
            return Callee::Target;
        }
        if !function.is_declaration() && !matches!(function.linkage(), Linkage::LLVMAvailableExternallyLinkage) {
            return Callee::Body(function);
        }
        if name.starts_with("llvm.") {
            return Callee::Intrinsic;
        }
        // A file may have been linked under an assembler name.
        if let Some(other) = self.program.function(name).filter(|f| *f != function && !f.is_declaration())
            && !self.in_library(function)
        {
            return Callee::Body(other);
        }
        if let Some(b) = self.allocators.get(name).copied().or_else(|| builtin(name)) {
            // Operators on floats need floats.
            let types = function.value_type();
            let floats = matches!(b, Builtin::Math(_)).then(|| crate::layout::float_format(types.returns()).is_some());
            if floats != Some(false) {
                return Callee::Builtin(b);
            }
        }
        if let Some(model) = self.library_function(name) {
            return Callee::Body(model);
        }
        if !function.is_declaration() {
            return Callee::Body(function);
        }
        if is_libc(name) { Callee::Unmodelled } else { Callee::External }
    }

    /// The library's model of `name`.
    pub fn library_function(&self, name: &str) -> Option<Value> {
        let model = self.session.library(name, self.pointer_bits)?.function(name)?;
        (!model.is_declaration() && model.linkage() == Linkage::LLVMExternalLinkage).then_some(model)
    }

    /// The definition of a global variable: its own, or the library's of that name.
    pub fn global(&self, global: Value) -> Value {
        if global.initializer().is_some() {
            return global;
        }
        let name = global.name();
        if let Some(other) = self.program.global(&name).filter(|g| g.initializer().is_some()) {
            return other;
        }
        let other = self.session.library(&name, self.pointer_bits).and_then(|l| l.global(&name));
        other.filter(|g| g.initializer().is_some()).unwrap_or(global)
    }

    /// What runs at exit, where `atexit` is the library's and in use; the library is not parsed for the question.
    pub fn exit_runner(&self, in_use: impl Fn(Value) -> bool) -> Option<Value> {
        if !self.session.is_loaded("atexit") {
            return None;
        }
        self.library_function("atexit").filter(|f| in_use(*f))?;
        self.library_function("__kerf_run_atexit")
    }

    /// Whether `function` belongs to the library.
    pub fn in_library(&self, function: Value) -> bool {
        // SAFETY: a live global value.
        let module = unsafe { llvm_sys::core::LLVMGetGlobalParent(function.0) };
        module != self.program.0
    }

    /// What an alias, a cast or the address of something's first part stands for in the end.
    pub fn strip(&self, mut v: Value) -> Value {
        use crate::ir::Opcode;
        loop {
            v = match v.kind() {
                ValueKind::LLVMGlobalAliasValueKind => v.aliasee(),
                ValueKind::LLVMConstantExprValueKind
                    if matches!(
                        v.const_opcode(),
                        Opcode::LLVMBitCast | Opcode::LLVMAddrSpaceCast | Opcode::LLVMPtrToInt | Opcode::LLVMIntToPtr
                    ) =>
                {
                    v.operand(0)
                }
                // LLVM 14 writes so for the first character of a text.
                ValueKind::LLVMConstantExprValueKind
                    if v.const_opcode() == Opcode::LLVMGetElementPtr
                        && (1..v.n_operands()).all(|i| v.operand(i).is_null()) =>
                {
                    v.operand(0)
                }
                _ => return v,
            }
        }
    }
}
