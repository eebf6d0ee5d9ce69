//! An LLVM context and the modules in it: parsing, linking, and the embedded library.

use crate::builtin::{Builtin, builtin};
use crate::ir::Module;
use crate::libc_names;
use crate::raw::{Llvm, compat};
use anyhow::{Result, anyhow};
use inkwell::memory_buffer::MemoryBuffer;
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

/// Bitcode of one file of models.
struct Models {
    bits32: &'static [u8],
    bits64: &'static [u8],
}

// Declares `FILES`, and `SYMBOLS`: the names in order, each with the index of the file that defines it.
include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// The version of the linked LLVM.
pub fn llvm_version() -> String {
    compat::version()
}

/// Owns the program's module and those modules of the library that are needed.
///
/// inkwell's values live as long as the context, `'m`, according to their types. But they must not be used after their module is
/// gone either: whatever keeps values keeps the session with them.
pub(crate) struct Session<'m> {
    llvm: &'m Llvm,
    program: Option<Module<'m>>,
    /// The files of which it consists.
    files: Vec<PathBuf>,
    /// The modules of the library, by file.
    library: Vec<OnceCell<Option<Module<'m>>>>,
}

impl<'m> Session<'m> {
    pub(crate) fn new(llvm: &'m Llvm) -> Session<'m> {
        let library = FILES.iter().map(|_| OnceCell::new()).collect();
        Session { llvm, program: None, files: Vec::new(), library }
    }

    /// Reads bitcode or textual IR; `name` is that of the file for messages.
    pub(crate) fn read(&self, file: &Path, name: &str) -> Result<Module<'m>> {
        let content = std::fs::read(file).map_err(|why| anyhow!("{name}: {why}"))?;
        let named_bitcode = !name.ends_with(".ll");
        self.parse(content).map_err(|why| anyhow!("{name}: {}", explain(&why, named_bitcode)))
    }

    /// Links the module of a file to those before.
    pub(crate) fn link(&mut self, file: &Path, module: Module<'m>) -> Result<()> {
        self.files.push(file.to_path_buf());
        let Some(program) = &self.program else {
            self.program = Some(module);
            return Ok(());
        };
        let linked = program.0.link_in_module(module.0);
        self.llvm.collect_errors();
        let name = file.display();
        linked.map_err(|why| anyhow!("{name}: cannot be linked with the preceding files: {}", why.to_string()))
    }

    /// Parses bitcode or textual IR.
    fn parse(&self, mut content: Vec<u8>) -> Result<Module<'m>, String> {
        if is_bitcode(&content) {
            return self.parse_bitcode(&content);
        }
        // LLVM requires a null character after the text.
        content.push(0);
        let text = &content[..content.len() - 1];
        // inkwell leaves the buffer to LLVM, which takes ownership of it only in versions before 22; from 22 on it leaks. It is small,
        // because it borrows the text.
        let parsed = self.llvm.context().create_module_from_ir(MemoryBuffer::create_from_memory_range(text, "text"));
        parsed.map(Module).map_err(|why| self.reason(why.to_string()))
    }

    /// Parses bitcode.
    ///
    /// # Errors
    /// Why LLVM cannot read it.
    pub(crate) fn parse_bitcode(&self, content: &[u8]) -> Result<Module<'m>, String> {
        let buffer = MemoryBuffer::create_from_memory_range(content, "bitcode");
        let parsed = inkwell::module::Module::parse_bitcode_from_buffer(&buffer, self.llvm.context());
        parsed.map(Module).map_err(|why| self.reason(why.to_string()))
    }

    /// Why LLVM failed: what it returned or, if that is empty, what it reported.
    fn reason(&self, returned: String) -> String {
        if !returned.is_empty() {
            return returned;
        }
        self.llvm.last_error().unwrap_or_else(|| "no reason given".into())
    }

    /// The files of the program.
    pub(crate) fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// The program, once a file has been added.
    pub(crate) fn program(&self) -> Option<&Module<'m>> {
        self.program.as_ref()
    }

    /// Whether the library module that defines `name` has already been parsed.
    pub(crate) fn is_loaded(&self, name: &str) -> bool {
        file_of(name).is_some_and(|i| self.library[i].get().is_some())
    }

    /// The library module that defines `name`, for addresses of `pointer_bits` bits. It is parsed when first asked for.
    pub(crate) fn library(&self, name: &str, pointer_bits: u32) -> Option<&Module<'m>> {
        let i = file_of(name)?;
        let parse = || {
            let bytes = if pointer_bits == 32 { FILES[i].bits32 } else { FILES[i].bits64 };
            self.parse_bitcode(bytes).ok()
        };
        self.library[i].get_or_init(parse).as_ref()
    }
}

/// Names of the C library that have a model, sorted: those that the library defines and those that are built in.
pub fn modelled() -> Vec<&'static str> {
    let defined = SYMBOLS.iter().map(|(symbol, _)| *symbol).filter(|symbol| !symbol.starts_with("__kerf_"));
    let built_in = libc_names::names().filter(|name| builtin(name).is_some_and(|b| b != Builtin::Unsupported));
    let mut names: Vec<&str> = defined.chain(built_in).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// Index of the library file that defines `name`.
fn file_of(name: &str) -> Option<usize> {
    let at = SYMBOLS.binary_search_by_key(&name, |(symbol, _)| symbol).ok()?;
    Some(SYMBOLS[at].1)
}

/// Whether bytes are bitcode, plain or in a wrapper header.
pub(crate) fn is_bitcode(bytes: &[u8]) -> bool {
    bytes.starts_with(b"BC\xC0\xDE") || bytes.starts_with(&[0xDE, 0xC0, 0x17, 0x0B])
}

/// LLVM's message about a file that it cannot read, as one line that says what is wrong.
fn explain(why: &str, is_bitcode: bool) -> String {
    let line = why.lines().map(str::trim).find(|l| !l.is_empty()).unwrap_or("it cannot be read");
    // LLVM's messages repeat the file name.
    let line = line.split_once("error: ").map_or(line, |(_, what)| what).to_string();
    let low = line.to_lowercase();
    if low.contains("expected top-level entity") {
        "neither LLVM bitcode nor textual IR".into()
    } else if is_bitcode && low.contains(&format!("producer: 'llvm{}.", compat::MAJOR)) {
        format!("corrupt or truncated bitcode: {line}")
    } else if low.contains("producer:") && low.contains("reader:") || low.contains("unknown attribute kind") {
        format!("bitcode of a newer LLVM than kerf reads ({}): {line}", compat::MAJOR)
    } else if is_bitcode {
        format!("corrupt or truncated bitcode: {line}")
    } else {
        // For textual IR, the position is worth showing.
        let place = why.split_once(": error: ").and_then(|(place, _)| place.split_once(':')).map(|(_, place)| place);
        let place = place.map_or(String::new(), |p| format!("line {p}: "));
        format!("not valid LLVM IR: {place}{line}")
    }
}
