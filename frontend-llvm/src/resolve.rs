//! The meaning of a call: symbols of the program come first, then built-in functions, then the library's models.

use crate::builtin::{Builtin, builtin};
use crate::ir::{Linkage, Module, Value};
use crate::load::Allocator;
use crate::lower::is_for_slices;
use crate::raw;
use crate::runtime_names::{compiler_name, is_of_a_library, is_panic};
use crate::session::Session;
use crate::symbols::{Symbols, plain};
use crate::verifier_names::is_declared_like;
use rustc_hash::{FxHashMap, FxHashSet};

/// Prefixes of the mangled names of C++'s `operator new`, in all its forms, with and without `[]`.
const OPERATORS_NEW: [&str; 2] = ["_Znw", "_Zna"];

/// Likewise for `operator delete`.
const OPERATORS_DELETE: [&str; 2] = ["_Zdl", "_Zda"];

/// The meaning of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Callee<'m> {
    /// A function with a body, from the program or the library.
    Body(Value<'m>),
    /// The call violates the property.
    Target,
    /// An LLVM intrinsic.
    Intrinsic,
    /// A function that is lowered in place.
    Builtin(Builtin),
    /// A function of the C library, or of another language's runtime library, that has no model.
    Unmodelled,
    /// A function that allocates or frees memory and calls another one for that, which the program replaces.
    Replaced,
    /// Any other function without a body.
    External,
}

/// Determines what calls mean, and finds symbols by name.
pub(crate) struct Resolver<'s, 'm> {
    session: &'s Session<'m>,
    program: &'s Module<'m>,
    pointer_bits: u32,
    symbols: Symbols<'m>,
    targets: FxHashSet<String>,
    allocators: FxHashMap<String, Builtin>,
    /// The allocator among those of the C library that the program defines itself, if it does.
    own_allocator: Option<&'static str>,
    /// Whether the program defines a form of C++'s `operator new`, and of `operator delete`.
    own_operators: [bool; 2],
    /// The functions whose calls are those of an undefined function, whatever they are called.
    pub(crate) stubs: FxHashSet<Value<'m>>,
    /// Whether there may be threads, as in slices.
    pub(crate) threads: bool,
    callees: FxHashMap<Value<'m>, Callee<'m>>,
}

impl<'s, 'm> Resolver<'s, 'm> {
    pub(crate) fn new(
        session: &'s Session<'m>,
        program: &'s Module<'m>,
        pointer_bits: u32,
        symbols: Symbols<'m>,
        targets: &[String],
        allocators: &[(String, Allocator)],
    ) -> Resolver<'s, 'm> {
        let targets = targets.iter().cloned().collect();
        let like = |allocator: &Allocator| match allocator {
            Allocator::Malloc => Builtin::Malloc,
            Allocator::Calloc => Builtin::Calloc,
            Allocator::Realloc => Builtin::Realloc,
        };
        let allocators = allocators.iter().map(|(name, allocator)| (name.clone(), like(allocator))).collect();
        let is_seen = |f: Value<'m>| !matches!(f.linkage(), Linkage::Internal | Linkage::Private);
        let defines = |name: &&str| program.function(name).is_some_and(|f| !f.is_declaration() && is_seen(f));
        let own_allocator = ["malloc", "calloc", "realloc", "free"].into_iter().find(defines);
        let defined: Vec<String> =
            program.functions().into_iter().filter(|f| !f.is_declaration() && is_seen(*f)).map(Value::name).collect();
        let own_operators = [OPERATORS_NEW, OPERATORS_DELETE]
            .map(|forms| defined.iter().any(|name| forms.iter().any(|form| name.starts_with(form))));
        Resolver {
            session,
            program,
            pointer_bits,
            symbols,
            targets,
            allocators,
            own_allocator,
            own_operators,
            stubs: FxHashSet::default(),
            threads: false,
            callees: FxHashMap::default(),
        }
    }

    /// The meaning of a call of `function` (a function, not an alias).
    pub(crate) fn callee(&mut self, function: Value<'m>) -> Callee<'m> {
        if let Some(known) = self.callees.get(&function) {
            return known.clone();
        }
        let callee = self.find(function);
        self.callees.insert(function, callee.clone());
        callee
    }

    fn find(&mut self, function: Value<'m>) -> Callee<'m> {
        if function.intrinsic_id() != 0 {
            return Callee::Intrinsic;
        }
        let name = function.name();
        let name = plain(&name);
        if self.is_target(function) {
            return Callee::Target;
        }
        if self.stubs.contains(&function) {
            return Callee::External;
        }
        let compiler_name = compiler_name(name);
        // Rust's start-up function has a definition, but that definition relies on undefined functions.
        if compiler_name == "lang_start" {
            return Callee::Builtin(Builtin::RustStart);
        }
        if !function.is_declaration() && !matches!(function.linkage(), Linkage::AvailableExternally) {
            return Callee::Body(function);
        }
        if name.starts_with("llvm.") {
            return Callee::Intrinsic;
        }
        // A file may have been linked that defines the function under its assembler name.
        if let Some(other) = self.program.function(name).filter(|f| *f != function && !f.is_declaration())
            && !self.in_library(function)
        {
            return Callee::Body(other);
        }
        if let Some(b) = self.allocators.get(name).copied().or_else(|| builtin(compiler_name)) {
            // Operators on floats need float types.
            let types = function.value_type();
            let floats = matches!(b, Builtin::Math(_)).then(|| crate::layout::float_format(types.returns()).is_some());
            // The C library's `_assert` and `__assert` take a text, a file and a line.
            let asserts = matches!(name, "_assert" | "__assert").then(|| types.params().len() >= 3);
            let parameters = (!types.is_variadic()).then(|| types.params().len());
            if floats != Some(false) && asserts != Some(false) && is_declared_like(name, parameters) {
                if self.own_allocator.is_some() && self.calls_allocator(function, b) || self.calls_own_operator(name) {
                    return Callee::Replaced;
                }
                return Callee::Builtin(b);
            }
        }
        if let Some(model) = self.library_function(name) {
            // Another function of this name is not the C library's.
            let is_known = fits(function, model) && (self.threads || !is_for_slices(model));
            return if is_known { Callee::Body(model) } else { Callee::Unmodelled };
        }
        if !function.is_declaration() {
            return Callee::Body(function);
        }
        if is_panic(name) {
            // Unwinding runs the program's clean-up code; without a personality function, a panic aborts.
            let unwinds = self.program.function("rust_eh_personality").is_some_and(Value::has_users);
            return Callee::Builtin(if unwinds { Builtin::Unsupported } else { Builtin::End });
        }
        if is_of_a_library(name) { Callee::Unmodelled } else { Callee::External }
    }

    /// Whether a call of `function`, with the meaning `b`, is one that a library makes of C's allocators, or leads to one.
    fn calls_allocator(&self, function: Value, b: Builtin) -> bool {
        let name = function.name();
        match b {
            Builtin::Malloc | Builtin::Realloc | Builtin::Free => {
                self.in_library(function) && !name.starts_with("__kerf_") || name.starts_with("_Z")
            }
            Builtin::New | Builtin::ReallocArray => true,
            _ => false,
        }
    }

    /// Whether the C++ library's form of an operator may call another form, which the program defines itself: the standard lets `new[]`
    /// call `new`, sized `delete` the unsized one, and so on [ISO C++ 17.6.3].
    fn calls_own_operator(&self, name: &str) -> bool {
        let is_form = |forms: &[&str]| forms.iter().any(|form| name.starts_with(form));
        let [new, delete] = self.own_operators;
        new && is_form(&OPERATORS_NEW) || delete && is_form(&OPERATORS_DELETE)
    }

    /// The allocator that the program defines itself, if `f` is the model of a function that allocates in glibc: no standard says
    /// that it does, and the model does not.
    pub(crate) fn neglected_allocator(&self, f: Value) -> Option<&'static str> {
        const OTHERS: [&str; 12] = [
            "asctime",
            "ctime",
            "gmtime",
            "gmtime_r",
            "localtime",
            "localtime_r",
            "mktime",
            "qsort",
            "setenv",
            "setlocale",
            "strftime",
            "system",
        ];
        let own = self.own_allocator?;
        let name = f.name();
        let module = |name: &str| self.session.library(name, self.pointer_bits).map(std::ptr::from_ref);
        let is_public = self.in_library(f) && f.linkage() == Linkage::External;
        let allocates = || OTHERS.contains(&&*name) || ["printf", "scanf"].iter().any(|of| module(&name) == module(of));
        (is_public && allocates()).then_some(own)
    }

    /// The undefined functions whose calls are assertions in the words of other verifiers, sorted: those that always fail, and those that
    /// fail for some arguments.
    pub(crate) fn assertions(&mut self) -> [Vec<String>; 2] {
        let (mut always, mut some) = (Vec::new(), Vec::new());
        for f in self.program.functions() {
            match self.callee(f) {
                Callee::Builtin(Builtin::Failure) => always.push(f.name()),
                Callee::Builtin(Builtin::Assert(_) | Builtin::Check) => some.push(f.name()),
                _ => {}
            }
        }
        always.sort_unstable();
        some.sort_unstable();
        [always, some]
    }

    /// Whether a call of `function` violates the property; the function is known by any of its names.
    fn is_target(&self, function: Value<'m>) -> bool {
        !self.targets.is_empty()
            && !self.in_library(function)
            && self.symbols.names(function).iter().any(|name| self.targets.contains(name))
    }

    /// The names of a function of the program; see [`Symbols::names`].
    pub(crate) fn names(&self, function: Value<'m>) -> Vec<String> {
        self.symbols.names(function)
    }

    /// Whether a symbol may stay undefined, so that its address may be null. A weak reference does not make the linker search a library,
    /// so that this holds for what has a model, too.
    pub(crate) fn may_be_null(&mut self, symbol: Value<'m>) -> bool {
        if symbol.linkage() != Linkage::ExternalWeak {
            return false;
        }
        let is_defined = if symbol.is_function() {
            matches!(self.callee(symbol), Callee::Body(f) if !self.in_library(f))
        } else {
            let global = self.global(symbol);
            global.initializer().is_some() && !self.in_library(global)
        };
        !is_defined
    }

    /// The library's model of `name`.
    pub(crate) fn library_function(&self, name: &str) -> Option<Value<'m>> {
        const WIDE: [&str; 7] = ["wcs", "wmem", "mbstowcs", "isw", "tow", "btowc", "wctob"];
        if WIDE.iter().any(|begin| name.starts_with(begin)) && self.program.has_short_wide_characters() {
            return None;
        }
        let name = synonym(name, self.pointer_bits);
        let model = self.session.library(name, self.pointer_bits)?.function(name)?;
        (!model.is_declaration() && model.linkage() == Linkage::External).then_some(model)
    }

    /// The definition of a global variable: its own, or the one in the program or the library that has the same name.
    pub(crate) fn global(&self, global: Value<'m>) -> Value<'m> {
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

    /// The function that runs at exit, if `atexit` is the library's and in use. Asking does not cause the library to be parsed.
    pub(crate) fn exit_runner(&self, in_use: impl Fn(Value<'m>) -> bool) -> Option<Value<'m>> {
        if !self.session.is_loaded("atexit") {
            return None;
        }
        self.library_function("atexit").filter(|f| in_use(*f))?;
        self.library_function("__kerf_run_atexit")
    }

    /// The variable that holds the rounding mode, if `fesetround` is the library's and in use. Asking does not cause the library to be parsed.
    pub(crate) fn rounding_mode(&self, in_use: impl Fn(Value<'m>) -> bool) -> Option<Value<'m>> {
        const SET: &str = "fesetround";
        if !self.session.is_loaded(SET) {
            return None;
        }
        self.library_function(SET).filter(|f| in_use(*f))?;
        self.session.library(SET, self.pointer_bits)?.global("__kerf_rounding_mode")
    }

    /// Whether `function` belongs to the library.
    pub(crate) fn in_library(&self, function: Value) -> bool {
        !raw::is_in_module(function.global(), &self.program.0)
    }
}

/// The function of the C library that is modelled where another one does the same: for files that may be large (offsets have 64 bits, as
/// on 64-bit platforms all have), without locks, and under older names.
fn synonym(name: &str, pointer_bits: u32) -> &str {
    const UNLOCKED: [&str; 15] = [
        "clearerr", "feof", "ferror", "fflush", "fgetc", "fgets", "fileno", "fputc", "fputs", "fread", "fwrite",
        "getc", "getchar", "putc", "putchar",
    ];
    match name {
        "fopen64" => "fopen",
        "freopen64" => "freopen",
        "tmpfile64" => "tmpfile",
        "open64" => "open",
        "fseeko" => "fseek",
        "ftello" => "ftell",
        "fseeko64" if pointer_bits == 64 => "fseek",
        "ftello64" if pointer_bits == 64 => "ftell",
        "lseek64" if pointer_bits == 64 => "lseek",
        "index" => "strchr",
        "rindex" => "strrchr",
        "__strndup" => "strndup",
        "__strtok_r" => "strtok_r",
        "__sigaction" => "sigaction",
        "bsd_signal" | "ssignal" => "signal",
        "sysv_signal" => "__sysv_signal",
        "gsignal" => "raise",
        _ => {
            let plain = name.strip_suffix("_unlocked");
            UNLOCKED.into_iter().find(|known| Some(*known) == plain).unwrap_or(name)
        }
    }
}

/// Whether a function is declared with as many parameters as its model has, or without saying how many.
fn fits(declared: Value, model: Value) -> bool {
    let (declared, model) = (declared.value_type(), model.value_type());
    declared.is_variadic() || declared.params().len() == model.params().len()
}
