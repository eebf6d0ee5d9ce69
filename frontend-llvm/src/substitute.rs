//! Stubs and replacements: functions whose bodies the user does not want to be verified.
//!
//! The module is changed before anything else reads it, so that nothing has to know of it afterwards but what calls mean and what verdicts
//! assume. A stub becomes a function without a body, and calls of it are those of an undefined function, also if the C library has a model
//! of it. A replaced function is replaced wherever the program uses it, except in its replacement: that may call what it replaces.

use crate::describe;
use crate::ir::{AttributeLoc, Linkage, Module, Value, ValueKind};
use crate::raw;
use crate::symbols::Symbols;
use anyhow::{Result, bail};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is done to the functions of a program before it is verified.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Substitutions {
    /// Functions that return any value of their type and do nothing else than an undefined function does, by their names in C.
    pub stubs: Vec<String>,
    /// Functions, each with the one that is called instead.
    pub replacements: Vec<(String, String)>,
}

impl Substitutions {
    /// Whether nothing is done.
    pub fn is_empty(&self) -> bool {
        self.stubs.is_empty() && self.replacements.is_empty()
    }
}

/// Makes the substitutions in a module. Returns the stubs, which have no body any more.
///
/// # Errors
/// A function does not exist, is given two meanings, has several names, is declared not to return, or is not of the type of its
/// replacement.
pub(crate) fn apply<'m>(program: &Module<'m>, wanted: &Substitutions, entry: &str) -> Result<FxHashSet<Value<'m>>> {
    if wanted.is_empty() {
        return Ok(FxHashSet::default());
    }
    let symbols = Symbols::of(program);
    let mut named: FxHashMap<String, Vec<Value<'m>>> = FxHashMap::default();
    for f in program.functions().into_iter().filter(|f| f.intrinsic_id() == 0) {
        for name in symbols.names(f) {
            named.entry(name).or_default().push(f);
        }
    }
    let stub = |name: &String| format!("--stub {name}");
    let replace = |(from, to): &(String, String)| format!("--replace {from}={to}");
    let mut seen = FxHashSet::default();
    let all = wanted.stubs.iter().map(|name| (name, stub(name)));
    for (name, option) in all.chain(wanted.replacements.iter().map(|pair| (&pair.0, replace(pair)))) {
        if name == entry {
            bail!("{option}: executions begin with {name}");
        }
        if !seen.insert(name) {
            bail!("{option}: {name} is substituted twice");
        }
        if !named.contains_key(name) {
            bail!("{option}: {}", missing(name));
        }
    }
    for pair in &wanted.replacements {
        let (from, to) = pair;
        let option = replace(pair);
        if seen.contains(to) {
            bail!("{option}: {to} is substituted itself");
        }
        let by = match named.get(to).map(Vec::as_slice) {
            None => bail!("{option}: {}", missing(to)),
            Some([by]) => *by,
            Some(several) => match several.iter().find(|f| f.name() == *to && f.linkage() != Linkage::Internal) {
                Some(by) => *by,
                None => bail!("{option}: there are {} functions called {to}", several.len()),
            },
        };
        for &f in &named[from] {
            if f == by {
                bail!("{option}: both are names of one function");
            }
            check_uses(f, from, &symbols, &option)?;
            check_types(f, by, &option)?;
            if f.users().iter().any(|user| user.kind() == ValueKind::LLVMBlockAddressValueKind) {
                bail!("{option}: {from} takes addresses of its labels");
            }
            replace_function(program, f, by);
        }
    }
    // A function may have several names.
    let mut dropped: Vec<Value> = Vec::new();
    for name in &wanted.stubs {
        for f in &named[name] {
            check_uses(*f, name, &symbols, &stub(name))?;
            if !dropped.contains(f) {
                dropped.push(*f);
            }
        }
    }
    if let Some((from, to)) = wanted
        .replacements
        .iter()
        .find(|(from, to)| [from, to].iter().any(|name| named[*name].iter().any(|f| dropped.contains(f))))
    {
        bail!("--replace {from}={to}: one of them is a stub, too");
    }
    Ok(dropped.into_iter().map(|f| if f.is_declaration() { f } else { without_body(program, f) }).collect())
}

/// What to say about a function that is not there.
fn missing(name: &str) -> String {
    format!("there is no function {name} in the program (clang leaves out static functions that nothing uses)")
}

/// Rejects a function of which more is known than that it is called: calls of one that does not return have nothing after them, and what
/// uses another name of it would change, too.
fn check_uses(f: Value, name: &str, symbols: &Symbols, option: &str) -> Result<()> {
    if f.has_attribute(AttributeLoc::Function, "noreturn") {
        bail!("{option}: {name} is declared not to return, so that nothing comes after its calls");
    }
    if let Some(other) = symbols.aliases(f).first() {
        bail!("{option}: {} is also called {other}, which would change, too", f.name());
    }
    Ok(())
}

/// Rejects a replacement of another type.
fn check_types<'m>(f: Value<'m>, by: Value<'m>, option: &str) -> Result<()> {
    let in_memory = |f: Value<'m>| -> Vec<_> {
        (0..f.value_type().params().len() as u32).map(|i| (f.byval_type(i), f.sret_type(i))).collect()
    };
    // The same types of LLVM may be different types of C.
    let [in_c, by_in_c] = [f, by].map(describe::prototype);
    let are_equal = f.value_type() == by.value_type()
        && f.calling_convention() == by.calling_convention()
        && in_memory(f) == in_memory(by)
        && (in_c.is_none() || by_in_c.is_none() || in_c == by_in_c);
    if are_equal {
        return Ok(());
    }
    let shown = match (in_c, by_in_c) {
        (Some(of), Some(other)) if of != other => [of, other],
        _ => [f, by].map(|f| f.value_type().print()),
    };
    let [of, other] = shown;
    bail!("{option}: the types differ: {of} and {other}")
}

/// Replaces a function wherever another one than its replacement uses it.
fn replace_function<'m>(program: &Module<'m>, f: Value<'m>, by: Value<'m>) {
    let aside = Value::of(program.0.add_function("kerf.aside", f.function().get_type(), None));
    let own = by.blocks().into_iter().flat_map(|block| block.instructions());
    for inst in own.filter(|_| !by.is_declaration()) {
        for i in (0..inst.n_operands()).filter(|i| inst.operand(*i) == f) {
            inst.set_operand(i, aside);
        }
    }
    f.replace_by(by);
    aside.replace_by(f);
    raw::delete_function(aside.function());
}

/// A function of the same name and type without a body, which takes the place of `f`.
fn without_body<'m>(program: &Module<'m>, f: Value<'m>) -> Value<'m> {
    let name = f.name();
    f.global().set_name("kerf.dropped");
    let declared = program.0.add_function(&name, f.function().get_type(), None);
    declared.set_call_conventions(f.calling_convention());
    let declared = Value::of(declared);
    f.replace_by(declared);
    raw::delete_function(f.function());
    declared
}
