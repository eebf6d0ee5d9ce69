//! An LLVM context and the modules in it: parsing, linking, and the embedded library.

use crate::builtin::{Builtin, builtin};
use crate::compat;
use crate::ir::{Module, message};
use crate::libc_names;
use crate::llvm_sys::core::*;
use crate::llvm_sys::linker::LLVMLinkModules2;
use crate::llvm_sys::prelude::*;
use crate::llvm_sys::{LLVMDiagnosticInfo, LLVMDiagnosticSeverity};
use anyhow::{Result, anyhow, bail};
use std::cell::{OnceCell, RefCell};
use std::ffi::{CString, c_void};
use std::path::Path;

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

/// Owns a context, the program's module and those modules of the library that are needed.
pub(crate) struct Session {
    context: LLVMContextRef,
    /// Errors that LLVM reports to the diagnostic handler instead of a return value.
    diagnostics: Box<RefCell<Vec<String>>>,
    program: Option<Module>,
    /// The modules of the library, by file.
    library: Vec<OnceCell<Option<Module>>>,
}

extern "C" fn collect(info: *mut LLVMDiagnosticInfo, list: *mut c_void) {
    // SAFETY: `list` is the session's box, which lives as long as the context; `info` is valid during the call.
    unsafe {
        if LLVMGetDiagInfoSeverity(info) as u32 == LLVMDiagnosticSeverity::LLVMDSError as u32 {
            let list = &*list.cast::<RefCell<Vec<String>>>();
            list.borrow_mut().push(message(LLVMGetDiagInfoDescription(info)));
        }
    }
}

impl Session {
    pub fn new() -> Session {
        let diagnostics = Box::new(RefCell::new(Vec::new()));
        // SAFETY: the handler's argument points into a box that the session keeps until the context is disposed of.
        let context = unsafe {
            let context = LLVMContextCreate();
            let list = (&raw const *diagnostics).cast_mut().cast::<c_void>();
            LLVMContextSetDiagnosticHandler(context, Some(collect), list);
            context
        };
        let library = FILES.iter().map(|_| OnceCell::new()).collect();
        Session { context, diagnostics, program: None, library }
    }

    /// Reads bitcode or textual IR and links it to what has been read before.
    pub fn add(&mut self, file: &Path, name: &str) -> Result<()> {
        let path = CString::new(file.as_os_str().as_encoded_bytes()).map_err(|_| anyhow!("{name}: bad file name"))?;
        let mut buffer = std::ptr::null_mut();
        let mut text = std::ptr::null_mut();
        // SAFETY: out-parameters are valid; the message is taken over on failure.
        let failed =
            unsafe { LLVMCreateMemoryBufferWithContentsOfFile(path.as_ptr(), &raw mut buffer, &raw mut text) != 0 };
        if failed {
            bail!("{name}: {}", message(text));
        }
        let parsed = self.parse(buffer);
        let is_bitcode = !name.ends_with(".ll");
        let module = parsed.map_err(|why| anyhow!("{name}: {}", explain(&why, is_bitcode)))?;
        match self.program {
            None => self.program = Some(module),
            Some(program) => {
                // SAFETY: both modules live in this context; linking consumes the second.
                let failed = unsafe { LLVMLinkModules2(program.0, module.0) != 0 };
                if failed {
                    bail!("{name}: cannot be linked with the files before it: {}", self.last_diagnostic());
                }
            }
        }
        Ok(())
    }

    fn last_diagnostic(&self) -> String {
        self.diagnostics.borrow().last().cloned().unwrap_or_else(|| "no reason given".into())
    }

    /// Parses a module; consumes the buffer.
    fn parse(&self, buffer: LLVMMemoryBufferRef) -> Result<Module, String> {
        let mut module = std::ptr::null_mut();
        let mut text = std::ptr::null_mut();
        // SAFETY: out-parameters are valid; the buffer is a live one that both callers leave to this function.
        let failed = unsafe { compat::parse(self.context, buffer, &raw mut module, &raw mut text) };
        let text = message(text);
        if failed {
            return Err(if text.is_empty() { self.last_diagnostic() } else { text });
        }
        Ok(Module(module))
    }

    /// The program, once a file has been added.
    pub fn program(&self) -> Option<Module> {
        self.program
    }

    /// Whether the library module that defines `name` has already been parsed.
    pub fn is_loaded(&self, name: &str) -> bool {
        file_of(name).is_some_and(|i| self.library[i].get().is_some())
    }

    /// The library module that defines `name`, for addresses of `pointer_bits` bits. It is parsed when first asked for.
    pub fn library(&self, name: &str, pointer_bits: u32) -> Option<Module> {
        let i = file_of(name)?;
        *self.library[i].get_or_init(|| {
            let bytes = if pointer_bits == 32 { FILES[i].bits32 } else { FILES[i].bits64 };
            // SAFETY: the bytes are static; the buffer does not copy or free them.
            unsafe {
                let data = bytes.as_ptr().cast();
                let buffer = LLVMCreateMemoryBufferWithMemoryRange(data, bytes.len(), c"library".as_ptr(), 0);
                self.parse(buffer).ok()
            }
        })
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

impl Drop for Session {
    fn drop(&mut self) {
        // SAFETY: nothing that refers to the modules outlives the session (see `ir`); modules are disposed of before their
        // context.
        unsafe {
            let library = self.library.iter().filter_map(|m| m.get().copied().flatten());
            for module in self.program.into_iter().chain(library) {
                LLVMDisposeModule(module.0);
            }
            LLVMContextDispose(self.context);
        }
    }
}

/// LLVM's message about a file that it cannot read, as one line that says what is wrong.
fn explain(why: &str, is_bitcode: bool) -> String {
    let line = why.lines().map(str::trim).find(|l| !l.is_empty()).unwrap_or("cannot be read");
    // LLVM's messages repeat the file name.
    let line = line.split_once("error: ").map_or(line, |(_, what)| what).to_string();
    let low = line.to_lowercase();
    if low.contains("expected top-level entity") {
        "neither LLVM bitcode nor textual IR".into()
    } else if is_bitcode && low.contains(&format!("producer: 'llvm{}.", compat::MAJOR)) {
        format!("corrupt or truncated bitcode: {line}")
    } else if low.contains("producer:") && low.contains("reader:") || low.contains("unknown attribute kind") {
        format!("bitcode of a newer LLVM than this one reads ({}): {line}", compat::MAJOR)
    } else if is_bitcode {
        format!("corrupt or truncated bitcode: {line}")
    } else {
        // For textual IR, the position is worth showing.
        let place = why.split_once(": error: ").and_then(|(place, _)| place.split_once(':')).map(|(_, place)| place);
        let place = place.map_or(String::new(), |p| format!("line {p}: "));
        format!("not valid LLVM IR: {place}{line}")
    }
}
