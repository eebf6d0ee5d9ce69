//! Harnesses for functions: a C file with a `main` that calls a function with every value that its parameters' types admit, within bounds.
//!
//! The types come from debug information, which clang has of every file and which also bitcode without source has. The harness declares
//! them itself: including the headers of a project would need its include paths and macros, and a struct that is defined in a `.c` file is in
//! no header. Assertions in the harness compare the layout with that of the program, so that a difference does not compile. Only a static
//! function cannot be called from another file; its harness includes the source instead.
//!
//! What a harness does not try: pointers into the middle of objects, two pointers to the same object, longer arrays and deeper structures
//! than asked for. A person edits it.

mod declarations;
mod values;

use std::path::{Path, PathBuf};

use frontend_llvm::describe::{CType, Described};
use serde::{Deserialize, Serialize};

use crate::compile_commands::LIKE;
use declarations::Declarations;
use values::Values;

/// Bounds, and what is arbitrary.
#[derive(Debug, Clone)]
pub(crate) struct Bounds {
    /// Maximum number of elements of an array, and of characters of a string, to which a pointer leads.
    pub max_elements: u64,
    /// Maximum number of pointers from an argument to the objects that it leads to; deeper ones are null.
    pub depth: u32,
    /// Whether the variables that the function refers to have arbitrary values.
    pub globals: bool,
}

/// The text of a harness, and how to use it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Harness {
    /// The C file.
    pub text: String,
    /// The function in it at which executions start, if it is not `main`.
    pub entry: Option<String>,
    /// The files of the program with which it is verified.
    pub files: Vec<PathBuf>,
}

/// Writes a harness. `from` is the folder in which it will be.
///
/// # Errors
/// A parameter has a type that C cannot express or a harness cannot fill, in words.
pub(crate) fn write(of: &Described, bounds: &Bounds, from: &Path) -> Result<Harness, String> {
    let entry = if of.has_main { "kerf_harness" } else { "main" };
    let mut values = Values::new(of, bounds);
    let body = values.call()?;
    let source = of.file.strip_prefix(from).unwrap_or(&of.file).display().to_string();
    let mut out = format!("/* A harness for {}, to be edited; {LIKE}{source} */\n", of.name);
    let is_included = |file: &PathBuf| of.is_static && std::fs::canonicalize(file).is_ok_and(|file| file == of.file);
    let files = of.files.iter().filter(|file| !is_included(file)).cloned().collect();
    if of.is_static {
        out += &format!("\n/* {} is static: only its own file can call it. */\n#include \"{source}\"\n", of.name);
    }
    out += "\nextern void reach_error(void);\n";
    out += &values.functions();
    if !of.is_static {
        let mut declarations = Declarations::new(&of.types, of.pointer_bits);
        values.objects.iter().for_each(|ty| declarations.define(*ty));
        let function = prototype(of, &mut declarations);
        for (global, _) in values.globals() {
            declarations.define(global.ty);
        }
        out += &declarations.text();
        out += &format!("\n{function};\n");
        for (global, _) in values.globals() {
            out += &format!("extern {};\n", of.types.declaration(global.ty, &global.name));
        }
    }
    out += &values.callbacks;
    out += &format!("\nint {entry}(void) {{\n{body}    return 0;\n}}\n");
    Ok(Harness { text: out, entry: of.has_main.then(|| entry.to_string()), files })
}

/// The declaration of the function.
fn prototype(of: &Described, declarations: &mut Declarations<'_>) -> String {
    declarations.mention(of.result);
    if !matches!(of.types.get(of.types.plain(of.result)), CType::Void) {
        declarations.define(of.result);
    }
    let mut list = Vec::new();
    for parameter in &of.parameters {
        declarations.define(parameter.ty);
        list.push(of.types.declaration(parameter.ty, ""));
    }
    list.extend((of.is_variadic && !list.is_empty()).then(|| "...".to_string()));
    let list = match (list.is_empty(), of.is_variadic) {
        (true, true) => String::new(),
        (true, false) => "void".into(),
        _ => list.join(", "),
    };
    of.types.declaration(of.result, &format!("{}({list})", of.name))
}
