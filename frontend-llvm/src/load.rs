//! From files to a CFA: compiling, reading, linking and lowering.
//!
//! LLVM may abort the process on corrupt bitcode; a caller that has to survive this calls [`load`] in a child process.

use crate::clang::{self, ClangOptions};
use crate::emit;
use crate::heap_context;
use crate::ir::{Linkage, Module, Value};
use crate::layout::Layout;
use crate::libc_names::is_libc;
use crate::lower::{Lowering, Statistics};
use crate::property::{Property, Targets};
use crate::provenance::{ModuleSize, Parts, ProgramModule, Provenance};
use crate::raw::Llvm;
use crate::resolve::Resolver;
use crate::runtime_names::{is_called_by_compilers, is_panic};
use crate::scan::scan;
use crate::session::{Session, is_bitcode};
use crate::structors;
use crate::substitute::{self, Substitutions};
use crate::symbols::{Symbols, is_mangled, plain};
use anyhow::{Context, Result, bail};
use cfa::events::Events;
use cfa::source_map::SourceMap;
use cfa::{Assumed, Assumption, Cfa, EdgeId, Matters, RawCfa, RestsOn};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The default length of call strings. Two levels suffice for a constructor that allocates through a checked `malloc`.
pub const HEAP_CONTEXT: u32 = 2;

/// How to read a program.
#[derive(Clone, Debug)]
pub struct LoadOptions {
    /// Width of an address in bits, for C files: 32 or 64. LLVM files state their own.
    pub pointer_bits: u32,
    /// The function where execution begins.
    pub entry: String,
    /// Which calls violate the property.
    pub targets: Targets,
    /// What undefined functions do with memory.
    pub undefined: Undefined,
    /// Functions whose calls stay calls, with the arguments in transfer variables, even if they have no definition. Slicing
    /// criteria that name these functions ask for the arguments.
    pub observed: Vec<String>,
    /// Functions without a body that allocate like one of C's allocators.
    pub allocators: Vec<(String, Allocator)>,
    /// Functions that slicing criteria name for another reason; they are not inlined.
    pub named: Vec<String>,
    /// Whether to read only those files that the entry needs: the one that defines it, those that define what this one refers to, and so
    /// on, as a linker takes from a library.
    pub only_needed: bool,
    /// Functions that are not verified as they are.
    pub substitutions: Substitutions,
    /// Length of the call strings that distinguish heap objects, in addition to the allocating instruction: this many levels of
    /// small functions that return fresh memory are inlined.
    pub heap_context: u32,
    /// What specification automata observe, if there are any.
    pub watched: Option<Watched>,
    /// Additional options for clang (`-I`, `-D`).
    pub clang_options: ClangOptions,
    /// Whether to keep the LLVM module for [`LoadedProgram::module`], and what for.
    pub keep: Keep,
    /// Whether signals arrive that other processes or the system send, so that their handlers run at any time: for slices
    /// ([`ModuleFacts::handler_runners`](cfa::ModuleFacts::handler_runners)). Otherwise it is an assumption that none do.
    pub signals_arrive: bool,
}

/// What the LLVM module is kept for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Keep {
    /// It is not kept.
    #[default]
    Nothing,
    /// To look at; the program is the same as without it.
    Module,
    /// To write slices of it; the program also shows what constructs without a model are given.
    ModuleToSlice,
}

/// What undefined functions do with the program's memory. What they read is irrelevant to proofs; their results are arbitrary.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Undefined {
    /// They read the memory that their arguments point to.
    #[default]
    ReadsArguments,
    /// They read everything reachable from globals and from the arguments of all earlier calls of undefined functions.
    ReadsAny,
    /// They read the same as [`Undefined::ReadsAny`] and may change all memory.
    ChangesAny,
}

/// One of C's allocating functions, with its parameters and result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Allocator {
    /// `malloc(bytes)`.
    Malloc,
    /// `calloc(count, bytes)`.
    Calloc,
    /// `realloc(block, bytes)`.
    Realloc,
}

impl Default for LoadOptions {
    fn default() -> LoadOptions {
        LoadOptions {
            pointer_bits: 64,
            entry: "main".into(),
            targets: Targets::Customary,
            undefined: Undefined::default(),
            observed: Vec::new(),
            allocators: Vec::new(),
            named: Vec::new(),
            only_needed: false,
            substitutions: Substitutions::default(),
            heap_context: HEAP_CONTEXT,
            watched: None,
            clang_options: ClangOptions::default(),
            keep: Keep::Nothing,
            signals_arrive: false,
        }
    }
}

/// What specification automata observe.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Watched {
    /// Functions whose calls are events, by their C names.
    pub functions: BTreeSet<String>,
    /// Global variables that the automata read, even if the program does not access them.
    pub variables: BTreeSet<String>,
}

/// A program, ready for analysis.
#[derive(Debug)]
pub struct LoadedProgram {
    /// The program as lowered.
    pub raw: RawCfa,
    /// What was lowered, and what could not be lowered.
    pub statistics: Statistics,
    /// The functions whose calls violate the property.
    pub targets: Vec<String>,
    /// The linker's names of these functions, as far as they are in the program.
    pub target_symbols: Vec<String>,
    /// The undefined functions whose failing assertions violate the property, too.
    pub assertions: Vec<String>,
    /// The events that specification automata observe, if [`LoadOptions::watched`] asked for them.
    pub events: Events,
    /// The loops and local variables of the source, as far as debug information tells.
    pub source: SourceMap,
    /// The files that were read.
    pub files: Vec<PathBuf>,
    /// Notes for the user if nothing in the program can violate the property.
    pub notes: Vec<String>,
    /// The module that the program was read from, if [`LoadOptions::keep`] asked for it.
    pub module: Option<ProgramModule>,
}

/// What a file holds, judging by its name and first bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    C,
    Llvm,
}

/// Reads `files` as one program.
///
/// # Errors
/// A one-line message if a file is missing, is neither C nor LLVM, comes from a newer LLVM or does not compile; if the files do
/// not link; if the data layout is not supported; or if the program lacks the entry function.
pub fn load(files: &[PathBuf], options: &LoadOptions) -> Result<LoadedProgram> {
    if files.is_empty() {
        bail!("no input file");
    }
    let folder = tempfile::tempdir().context("no folder for temporary files")?;
    let names = files.iter().map(|f| f.display().to_string()).collect::<Vec<_>>().join(", ");
    let mut loaded = None;
    let module = ProgramModule::new(Llvm::new(), |llvm| {
        let session = read(llvm, files, options, folder.path())?;
        let size = session.program().filter(|_| options.keep != Keep::Nothing).map(ModuleSize::of).unwrap_or_default();
        let program = session.program().context("no input file")?;
        let stubs = substitute::apply(program, &options.substitutions, &options.entry)?;
        let whole = if options.keep == Keep::ModuleToSlice { emit::bitcode(program) } else { Vec::new() };
        let (program, provenance) = lower(&session, stubs, options, &names)?;
        loaded = Some(program);
        Ok(Parts { session, provenance, size, whole })
    })?;
    let mut program = loaded.context("no program")?;
    match options.keep {
        Keep::Nothing => dispose(module),
        Keep::Module | Keep::ModuleToSlice => program.module = Some(module),
    }
    Ok(program)
}

/// Disposes of a module, which takes a while for a large one, on another thread, if there is memory for one.
fn dispose(module: ProgramModule) {
    // If there is none, the closure is dropped here, and the module with it.
    let _ = std::thread::Builder::new().name("dispose".into()).spawn(move || drop(module));
}

/// Compiles what is C, reads the rest, and links all of it.
pub(crate) fn read<'m>(llvm: &'m Llvm, files: &[PathBuf], options: &LoadOptions, folder: &Path) -> Result<Session<'m>> {
    let mut session = Session::new(llvm);
    let mut modules = Vec::new();
    for (i, file) in files.iter().enumerate() {
        let name = file.display().to_string();
        let module = match content(file)? {
            Content::Llvm => session.read(file, &name)?,
            Content::C => {
                let bitcode = folder.join(format!("{i}.bc"));
                clang::compile(file, &bitcode, options.pointer_bits, &options.clang_options)?;
                session.read(&bitcode, &name)?
            }
        };
        if options.only_needed {
            modules.push((file.clone(), module));
        } else {
            session.link(file, module)?;
        }
    }
    if options.only_needed {
        for (file, module) in needed(modules, &options.entry)? {
            session.link(&file, module)?;
        }
    }
    Ok(session)
}

/// The modules that a function needs, each with its file: that with its definition first.
///
/// # Errors
/// No module defines the function, or several define it or what is needed.
fn needed<'m>(modules: Vec<(PathBuf, Module<'m>)>, entry: &str) -> Result<Vec<(PathBuf, Module<'m>)>> {
    let is_public =
        |v: &Value| !matches!(v.linkage(), Linkage::Internal | Linkage::Private | Linkage::AvailableExternally);
    let symbols = |module: &Module<'m>| {
        let all = module.functions().into_iter().filter(|f| f.intrinsic_id() == 0).chain(module.globals());
        let (lacking, defined): (Vec<Value>, Vec<Value>) = all.partition(|v| v.is_declaration());
        let defined = defined.into_iter().filter(is_public).chain(module.aliases()).map(Value::name);
        (lacking.into_iter().map(Value::name).collect::<Vec<_>>(), defined.collect::<Vec<_>>())
    };
    let (mut lacking, mut definers) = (Vec::new(), FxHashMap::<String, Vec<usize>>::default());
    for (i, (_, module)) in modules.iter().enumerate() {
        let (lacks, defines) = symbols(module);
        lacking.push(lacks);
        defines.into_iter().for_each(|name| definers.entry(name).or_default().push(i));
    }
    // A static function may be the entry, too.
    if !definers.contains_key(entry) {
        let defines = |module: &Module<'m>| module.function(entry).is_some_and(|f| !f.is_declaration());
        let all = (0..modules.len()).filter(|i| defines(&modules[*i].1)).collect();
        definers.insert(entry.into(), all);
    }
    let (mut order, mut wanted) = (Vec::new(), vec![entry.to_string()]);
    while let Some(name) = wanted.pop() {
        match definers.get(&name).map(Vec::as_slice) {
            Some([i]) if !order.contains(i) => {
                order.push(*i);
                wanted.extend(lacking[*i].iter().cloned());
            }
            Some(several) if several.len() > 1 && !several.iter().any(|i| order.contains(i)) => {
                let files: Vec<String> = several.iter().map(|i| modules[*i].0.display().to_string()).collect();
                bail!("{name} is defined in {}: name the files of the program", files.join(" and in "));
            }
            _ => {}
        }
    }
    if order.is_empty() {
        bail!("no file has a function {entry} with a body (choose another with --entry)");
    }
    let mut modules: Vec<_> = modules.into_iter().map(Some).collect();
    Ok(order.into_iter().filter_map(|i| modules[i].take()).collect())
}

/// Determines what a file holds.
fn content(file: &Path) -> Result<Content> {
    use std::io::Read;
    let name = file.display();
    let mut head = Vec::new();
    let opened = std::fs::File::open(file).and_then(|f| {
        if f.metadata()?.is_dir() {
            return Err(std::io::Error::other("is a folder"));
        }
        f.take(4).read_to_end(&mut head)
    });
    match opened {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => bail!("{name}: no such file"),
        Err(e) => bail!("{name}: {e}"),
        Ok(_) => {}
    }
    if is_bitcode(&head) {
        return Ok(Content::Llvm);
    }
    match file.extension().and_then(|e| e.to_str()) {
        Some("c" | "i" | "h") => Ok(Content::C),
        Some("cc" | "cp" | "cpp" | "cxx" | "c++" | "C" | "CPP" | "ii" | "hh" | "hpp") => bail!(
            "{name}: kerf compiles C only; compile C++ to bitcode (clang++ -c -emit-llvm -g -O1 -Xclang -disable-llvm-passes)"
        ),
        Some("bc") => bail!("{name}: not LLVM bitcode (it does not begin like bitcode)"),
        Some("ll") => Ok(Content::Llvm),
        _ if head.starts_with(b"\x7FELF") => {
            bail!("{name}: this is machine code, but kerf needs LLVM bitcode (clang -c -emit-llvm) or C")
        }
        _ => Ok(Content::Llvm),
    }
}

/// Lowers the program of a session, in which the functions `stubs` have lost their bodies.
fn lower<'m>(
    session: &Session<'m>,
    stubs: FxHashSet<Value<'m>>,
    options: &LoadOptions,
    names: &str,
) -> Result<(LoadedProgram, Provenance<'m>)> {
    let Some(program) = session.program() else { bail!("no input file") };
    let layout = Layout::new(program);
    check_layout(&layout, names)?;
    let symbols = Symbols::of(program);
    let known: FxHashSet<String> = program.functions().into_iter().flat_map(|f| symbols.names(f)).collect();
    let mut targets = Property::UnreachCall(options.targets.clone()).target_functions(|name| known.contains(name));
    if options.targets == Targets::Customary && targets == ["__assert_fail"] {
        // In Rust, a failing assertion is a panic.
        targets.extend(program.functions().into_iter().map(Value::name).filter(|name| is_panic(name)));
    }
    let label = if let Targets::Label(label) = &options.targets { Some(label.clone()) } else { None };
    let mut resolver = Resolver::new(session, program, layout.pointer_bits, symbols, &targets, &options.allocators);
    resolver.stubs = stubs;
    resolver.threads = options.signals_arrive;
    let watched = options.watched.as_ref();
    let names_of: FxHashMap<Value, Vec<String>> =
        program.functions().into_iter().map(|f| (f, resolver.names(f))).collect();
    let named = |f: Value| {
        let lists = || [&targets, &options.observed, &options.named].into_iter().flatten();
        let is_wanted = |name: &String| {
            *name == options.entry
                || watched.is_some_and(|w| w.functions.contains(name))
                || lists().any(|wanted| wanted == name)
        };
        let has_label = || label.as_ref().is_some_and(|l| f.blocks().iter().any(|b| b.name() == *l));
        names_of.get(&f).is_some_and(|names| names.iter().any(is_wanted)) || has_label()
    };
    // An inlined function has no variables of its own that the conditions of automata could name.
    let reads_variables = watched.is_some_and(|w| !w.variables.is_empty());
    let heap_context = if reads_variables { 0 } else { options.heap_context };
    heap_context::specialise(program, &mut resolver, heap_context, named)?;
    let entry = &options.entry;
    let by_name = || program.functions().into_iter().find(|f| !f.is_declaration() && names_of[f].contains(entry));
    let main = program.function(entry).or_else(|| program.alias(entry).map(|a| a.stripped()));
    let main = main.filter(|f| f.is_function() && !f.is_declaration()).or_else(by_name);
    let Some(main) = main else {
        bail!("{names}: no function {entry} with a body (choose another with --entry)");
    };
    if names_of[&main].iter().any(|name| targets.contains(name)) {
        bail!("{names}: the entry function {entry} is itself the target");
    }
    let mut roots = vec![main];
    let run = structors::LISTS.iter().flat_map(|list| structors::structors(program, list));
    roots.extend(run.map(|s| s.function).filter(|f| f.is_function() && !f.is_declaration()));
    let Substitutions { stubs, replacements } = &options.substitutions;
    if let Some(name) =
        stubs.iter().chain(replacements.iter().map(|(from, _)| from)).find(|name| targets.contains(name))
    {
        bail!("{names}: {name} cannot be substituted, because its calls violate the property");
    }
    let reachable = scan(&mut resolver, &roots);
    let mut lowering = Lowering::new(program, layout, resolver, reachable);
    lowering.undefined = options.undefined;
    lowering.note_opaque = options.keep == Keep::ModuleToSlice;
    lowering.signals_arrive = options.signals_arrive;
    lowering.observed.extend(options.observed.iter().cloned());
    lowering.watched = options.watched.clone();
    lowering.assertions = options.targets == Targets::Customary;
    lowering.target_label = label;
    lowering.lower_program(main);
    lowering.note_functions();
    let notes = notes(program, &options.targets, &targets, &known, &lowering.cfa);
    let [failures, assertions] = if lowering.assertions { lowering.resolver.assertions() } else { Default::default() };
    targets.extend(failures);
    let is_target = |f: &Value| names_of.get(f).is_some_and(|names| names.iter().any(|name| targets.contains(name)));
    let target_symbols = program.functions().into_iter().filter(is_target).map(Value::name).collect();
    let (mut loaded, provenance) = finish(lowering, targets);
    loaded.target_symbols = target_symbols;
    loaded.assertions = assertions;
    loaded.notes = notes;
    loaded.files = session.files().to_vec();
    let replaced = |(function, by): &(String, String)| Assumed::Replaced { function: function.clone(), by: by.clone() };
    loaded.raw.cfa.assumptions.extend(replacements.iter().map(replaced).map(Assumption::always));
    Ok((loaded, provenance))
}

/// Notes on a program in which nothing can violate the property.
fn notes(program: &Module, wanted: &Targets, targets: &[String], known: &FxHashSet<String>, cfa: &Cfa) -> Vec<String> {
    if !cfa.targets.is_empty() {
        return Vec::new();
    }
    let label = |name: &str| {
        let mut blocks = program.functions().into_iter().flat_map(Value::blocks);
        blocks.any(|b| b.name() == name)
    };
    match wanted {
        Targets::Nothing => Vec::new(),
        Targets::Label(name) if label(name) => vec![format!("the entry function does not lead to the label {name}")],
        Targets::Label(name) => {
            vec![format!("no label {name} in the program (labels without debug names cannot be seen)")]
        }
        Targets::Function(_) | Targets::Customary => {
            let names = if *wanted == Targets::Customary && targets[0] == "__assert_fail" {
                "reach_error(), __VERIFIER_error() or a failing assert".to_string()
            } else {
                format!("{}()", targets.join("() or "))
            };
            let mut notes = Vec::new();
            match wanted {
                Targets::Function(name) if !known.contains(name) => {
                    let why = if is_libc(name) { " (a header may have replaced the name)" } else { "" };
                    notes.push(format!("no function {name} in the program{why}, so nothing can violate the property"));
                }
                _ => notes.push(format!("no call of {names} in code that the program can execute")),
            }
            if label("ERROR") {
                notes.push("there is a label ERROR; --property label:ERROR makes reaching it the violation".into());
            }
            notes
        }
    }
}

/// Rejects layouts that the semantics does not cover.
fn check_layout(layout: &Layout, names: &str) -> Result<()> {
    if !layout.is_little_endian() {
        bail!("{names}: big-endian targets are not supported (compile for x86 or another little-endian target)");
    }
    if !matches!(layout.pointer_bits, 32 | 64) {
        bail!("{names}: addresses of {} bits are not supported", layout.pointer_bits);
    }
    Ok(())
}

fn finish<'m>(mut lowering: Lowering<'_, 'm>, targets: Vec<String>) -> (LoadedProgram, Provenance<'m>) {
    let assumptions = assumptions(&mut lowering);
    let Lowering { mut cfa, facts, statistics, provenance, events, source, .. } = lowering;
    cfa.assumptions = assumptions;
    let raw = RawCfa { cfa, facts };
    let (target_symbols, assertions, files, notes) = Default::default();
    (
        LoadedProgram {
            raw,
            statistics,
            targets,
            target_symbols,
            assertions,
            events,
            source,
            files,
            notes,
            module: None,
        },
        provenance,
    )
}

/// Whether the linker may replace the definition or alias `v` by one in another file that need not be equal.
fn may_be_replaced(v: Value<'_>) -> bool {
    match v.linkage() {
        Linkage::WeakAny | Linkage::LinkOnceAny | Linkage::Common => true,
        // C's inline functions. Those in the headers of the C library, and those of languages with a one-definition rule, are copies
        // of what will be linked.
        Linkage::AvailableExternally => {
            let name = v.name();
            !is_libc(plain(&name)) && !is_mangled(&name)
        }
        _ => false,
    }
}

/// The assumptions that verdicts rest on, as far as lowering knows them.
fn assumptions(lowering: &mut Lowering<'_, '_>) -> Vec<Assumption> {
    let mut all = Vec::new();
    let changes_memory = lowering.undefined == Undefined::ChangesAny;
    let externals = std::mem::take(&mut lowering.externals);
    for (name, outsider) in externals {
        let what = Assumed::Undefined {
            is_stub: lowering.resolver.stubs.iter().any(|f| f.name() == name),
            function: name,
            no_pointer: outsider.returns_pointer.then(|| lowering.not_from_outside()),
            changes_memory,
            is_const: outsider.is_const,
        };
        // The function may be called at a place from which only the function itself could lead to a violation.
        all.push(Assumption { what, of: RestsOn::Verdicts, matters: Matters::IfReached(outsider.calls) });
    }
    for (function, (meaning, edges)) in std::mem::take(&mut lowering.readings) {
        let what = Assumed::ReadAs { function, meaning };
        all.push(Assumption { what, of: RestsOn::Verdicts, matters: Matters::IfKept(edges) });
    }
    let declared_only = std::mem::take(&mut lowering.declared_only);
    for (o, naming) in lowering.cfa.edges_naming(&declared_only) {
        let what = Assumed::DeclaredOnly { variable: lowering.cfa.objects[o].name.clone() };
        all.push(Assumption { what, of: RestsOn::Verdicts, matters: Matters::IfKept(naming) });
    }
    let unnamed = std::mem::take(&mut lowering.unnamed_functions);
    if unnamed.len() > 1 {
        let mut naming: Vec<EdgeId> = lowering.cfa.edges_naming(&unnamed).into_values().flatten().collect();
        naming.sort_unstable();
        naming.dedup();
        all.push(Assumption::of_proofs(Assumed::FunctionsApart, Matters::IfKept(naming)));
    }
    let program = lowering.program;
    let defined = program.functions().into_iter().chain(program.globals()).filter(|v| !v.is_declaration());
    let mut replaceable: Vec<Value> = defined.filter(|v| may_be_replaced(*v) && lowering.is_used(*v)).collect();
    let aliases = program.aliases().into_iter().filter(|a| may_be_replaced(*a) && a.has_users());
    replaceable.extend(aliases.filter(|a| lowering.is_used(a.stripped())));
    all.extend(replaceable.into_iter().map(|v| Assumption::always(Assumed::NotReplaced { name: v.name() })));
    let reached = std::mem::take(&mut lowering.assumed_reached).into_iter();
    all.extend(reached.map(|(what, edges)| Assumption::of_proofs(what, Matters::IfReached(edges))));
    let own = program.functions().into_iter().filter(|f| !f.is_declaration() && !lowering.resolver.in_library(*f));
    let hidden = own.map(|f| f.name()).filter(|name| is_called_by_compilers(name));
    all.extend(hidden.map(|name| Assumption::always(Assumed::NoHiddenCalls { name })));
    all.extend(std::mem::take(&mut lowering.presumed).into_iter().map(Assumption::always));
    let of_effects = std::mem::take(&mut lowering.assumed).into_iter();
    all.extend(of_effects.map(|(what, edges)| Assumption::of_proofs(what, Matters::IfKept(edges))));
    let of_executions = std::mem::take(&mut lowering.assumed_where).into_iter();
    all.extend(of_executions.map(|(what, edges)| Assumption::of_proofs(what, Matters::IfExecuted(edges))));
    all
}
