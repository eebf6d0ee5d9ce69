//! Calls of the program's functions that the graph does not show: from library functions without a model, from assembly, through
//! symbols that are resolved when the program starts, and calls that cannot be translated.
//!
//! A slice would lack what such a call needs and does, so a program whose slice may make one is rejected.

use super::index::Index;
use crate::ir::{Value, ValueKind};
use crate::provenance::Construct;
use anyhow::{Result, bail};
use cfa::view::Slice;
use cfa::{EdgeId, Id, Op};

/// Rejects slices in which functions may be called without the graph showing the call.
pub(super) fn check<'m>(index: &Index<'_, 'm>, slice: &Slice) -> Result<()> {
    let runs_at_exit = super::module::may_run_at_exit(index);
    for e in slice.kept.ones().map(EdgeId::from_index) {
        if let Some(reason) = calls_more(index, e, runs_at_exit) {
            let edge = &index.cfa.edges[e];
            let place = match edge.span.line {
                0 => format!("in {}", index.cfa.funcs[index.cfa.locs[edge.from].func].name),
                _ => index.cfa.place(edge.span),
            };
            bail!("{reason}, which a slice cannot represent ({place})");
        }
    }
    if let Some(f) = index.program.ifuncs().into_iter().find(|f| f.has_users()) {
        bail!("{} is chosen when the program starts (ifunc), which is not supported", f.name());
    }
    check_assembly(index, &index.program.inline_asm())?;
    let kept = |inst: &Value<'m>| index.edges_of(*inst).iter().any(|e| slice.kept.contains(e.index()));
    let functions = index.program.functions().into_iter().filter(|f| !f.is_declaration());
    let code = functions.flat_map(|f| f.blocks()).flat_map(|b| b.instructions());
    for inst in
        code.filter(|i| super::uses::is_call(*i) && i.called().kind() == ValueKind::LLVMInlineAsmValueKind).filter(kept)
    {
        check_assembly(index, &inst.called().asm_text())?;
    }
    Ok(())
}

/// Why the construct of an edge may call functions of the program without the graph showing it, if it may. `runs_at_exit` says whether
/// `exit` calls any.
fn calls_more(index: &Index<'_, '_>, e: EdgeId, runs_at_exit: bool) -> Option<String> {
    let cfa = index.cfa;
    let (reason, unsupported) = match &cfa.edges[e].op {
        Op::Unsupported(u) => (u.reason.clone(), Some(u)),
        Op::Call(g) => (format!("library function {} has no model", cfa.funcs[*g].name), None),
        _ => ("a construct has no model".into(), None),
    };
    let may_call = unsupported.is_some_and(|u| u.may_call);
    if cfa.module.unsliceable.contains(&e) || (may_call && calls_unseen(index, e)) {
        return Some(reason);
    }
    let mut callbacks = cfa.module.callbacks.get(&e).into_iter().flatten();
    if let Some(f) = callbacks.find(|f| index.is_of_program(**f)) {
        return Some(format!("{reason} and may call {}", cfa.funcs[*f].name));
    }
    // A library function without a model may call `exit`.
    let may_exit = may_call && unsupported.is_some_and(|u| u.may_not_return) && cfa.external_calls.contains_key(&e);
    (may_exit && runs_at_exit).then(|| format!("{reason} and may run what is registered for the end"))
}

/// Whether an edge without a model that may call functions stands for a call of a function with a body or through a pointer, so that no
/// [`callbacks`](cfa::ModuleFacts::callbacks) tell which functions run there.
fn calls_unseen(index: &Index<'_, '_>, e: EdgeId) -> bool {
    let edge = &index.cfa.edges[e];
    match index.construct(edge.origin) {
        Some(Construct::Instruction(inst)) if super::uses::is_call(inst) => {
            let called = inst.called().stripped();
            match called.is_function() {
                true => !called.is_declaration() && !super::module::is_copy_of_external(called),
                false => called.kind() != ValueKind::LLVMInlineAsmValueKind,
            }
        }
        Some(_) => false,
        None => {
            let f = index.cfa.locs[edge.from].func;
            index.cfa.funcs[f].library && f != index.cfa.entry
        }
    }
}

/// Rejects assembly that names a definition of the program, because its effect on it is unknown.
fn check_assembly(index: &Index<'_, '_>, text: &str) -> Result<()> {
    let defined = |name: &str| {
        let function = index.program.function(name).filter(|f| !f.is_declaration());
        function.is_some() || index.program.global(name).is_some_and(|g| g.initializer().is_some())
    };
    match operands(text).find(|name| defined(name)) {
        Some(name) => bail!("assembly refers to {name} by its name, which a slice cannot follow"),
        None => Ok(()),
    }
}

/// Words of assembly that may be symbols. Excluded are the first word of a statement, which is an operation, registers and
/// constants.
pub(crate) fn operands(text: &str) -> impl Iterator<Item = &str> {
    fn part(c: char) -> bool {
        c.is_ascii_alphanumeric() || "_.".contains(c)
    }
    text.split(['\n', ';']).flat_map(|statement| {
        // A label may precede the operation.
        let label = statement.split_once(':').filter(|(label, _)| label.trim().chars().all(part));
        let statement = label.map_or(statement, |(_, operation)| operation).trim_start();
        let rest = statement.trim_start_matches(part);
        rest.split(|c: char| !part(c) && !"$%{}:".contains(c)).filter(|word| word.starts_with(part))
    })
}

#[cfg(test)]
mod tests {
    use super::operands;

    #[test]
    fn symbols_stand_after_operations() {
        let words = |text| operands(text).collect::<Vec<_>>();
        assert_eq!(words("call helper\n\tadd %eax, $0"), ["helper"]);
        assert_eq!(words("again: jmp target; test table(%rip), ${1:b}"), ["target", "table"]);
        assert!(words("add $$1, $0\nnop").is_empty());
    }
}
