//! A function's parameters, blocks and terminators.

use super::body::Body;
use super::{Lowered, Lowering, NoModel, Vals};
use crate::debug_info::DebugInfo;
use crate::ir::{AttributeLoc, Block, Opcode, TypeKind, Value};
use crate::provenance::Construct;
use crate::raw::debug::Variable;
use cfa::source_map::SourceLoop;
use cfa::{AssumeKind, Assumed, EdgeId, FuncId, Id, Op, Origin, Term, VarId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

impl<'l, 's, 'm> Body<'l, 's, 'm> {
    /// Lowers the body of `f`.
    pub(super) fn lower_function(cx: &'l mut Lowering<'s, 'm>, f: Value<'m>, id: FuncId) {
        let mut body = Body::new(cx, id);
        if let Some(hook) = body.hook(f) {
            body.no_model("function", NoModel(format!("a call of {hook} that the compiler inserts")));
        }
        body.llvm = Some(f);
        body.recursive = body.cx.reachable.recursive.contains(&f);
        let order = reverse_postorder(f.entry_block());
        body.order = order.iter().enumerate().map(|(i, b)| (*b, i)).collect();
        body.prepare(&order);
        body.take_params(f);
        body.arm_jumps(&order);
        if body.dead {
            return;
        }
        body.require_nearest(f);
        if let Some(name) = body.cx.resolver.neglected_allocator(f) {
            let e = body.skip();
            body.cx.assume_reached(e, Assumed::AllocatesNothing { name: name.into() });
        }
        let entry = order[0];
        body.blocks.insert(entry, body.at);
        body.heads.insert(body.at);
        body.pending.insert(0);
        while let Some(i) = body.pending.pop_first() {
            let block = order[i];
            body.at = body.blocks[&block];
            body.dead = false;
            body.lower_block(block);
        }
        body.note_loops(f);
    }

    /// Records the loops of the source. A branch back to the head of a loop says where the loop begins.
    fn note_loops(&mut self, f: Value<'m>) {
        if self.cx.cfa.funcs[self.func].library {
            return;
        }
        for block in f.blocks() {
            let Some(branch) = block.instructions().pop().filter(|inst| inst.opcode() == Opcode::Br) else { continue };
            let Lowering { debug, source, cfa, .. } = &mut *self.cx;
            let Some((place, scope)) = debug.source_loop(&mut cfa.files, source, branch) else { continue };
            let tests_last = branch.is_conditional();
            // A branch at the end of a body leads back, or out of the loop.
            let is_back = |to: &Block<'m>| !tests_last || self.order.get(to) <= self.order.get(&block);
            for to in branch.successors().into_iter().filter(is_back) {
                let found =
                    SourceLoop { place, head: self.blocks.get(&to).copied(), tests_last, func: self.func, scope };
                if !self.cx.source.loops.contains(&found) {
                    self.cx.source.loops.push(found);
                }
            }
        }
    }

    /// The function of the program to which the compiler's back end inserts calls into `f`, if there is one
    /// (`-finstrument-functions`, `-pg`).
    fn hook(&self, f: Value<'m>) -> Option<String> {
        const ATTRIBUTES: [&str; 4] = [
            "instrument-function-entry",
            "instrument-function-entry-inlined",
            "instrument-function-exit",
            "instrument-function-exit-inlined",
        ];
        let defined = |name: &String| self.cx.program.function(name).is_some_and(|hook| !hook.is_declaration());
        ATTRIBUTES.iter().filter_map(|attribute| f.string_attribute(attribute)).find(defined)
    }

    /// Looks through the function once: makes variables for its phi nodes, and notes the lifetimes of slots and the names of
    /// variables.
    fn prepare(&mut self, order: &[Block<'m>]) {
        let mut seen = FxHashSet::default();
        for block in order {
            for inst in block.instructions() {
                self.cx.debug.note_variables(inst, &mut seen);
                match inst.opcode() {
                    Opcode::Phi if inst.has_users() => {
                        let Ok(flat) = self.cx.flat(inst.ty()) else { continue };
                        let mut vars = Vec::new();
                        for leaf in &flat.leaves {
                            let placeholder = self.cx.undef(leaf.bits);
                            vars.push(self.var_for(inst, placeholder));
                        }
                        let vals = vars.iter().map(|&v| self.cx.cfa.var_term(v)).collect();
                        self.values.insert(inst, vals);
                        self.phis.insert(inst, vars);
                    }
                    Opcode::Call => {
                        let callee = inst.called();
                        if callee.is_function() && callee.name().starts_with("llvm.lifetime.start") {
                            let slot = inst.operand(inst.call_args().len() as u32 - 1);
                            self.with_lifetime.insert(slot.without_bitcasts());
                        }
                    }
                    _ => {}
                }
            }
        }
        for name in seen.into_iter().filter_map(Variable::name) {
            *self.cx.source.locals.entry((self.func, name)).or_default() += 1;
        }
    }

    /// Copies the transfer variables into locals.
    fn take_params(&mut self, f: Value<'m>) {
        let transfer = self.cx.cfa.funcs[self.func].params.clone();
        let mut next = transfer.into_iter();
        for (i, param) in f.params().into_iter().enumerate() {
            let flat = match self.cx.flat(param.ty()) {
                Ok(flat) => flat,
                Err(why) => {
                    self.no_model("parameter", why);
                    continue;
                }
            };
            let vars: Vec<VarId> = next.by_ref().take(flat.leaves.len()).collect();
            if !param.has_users() {
                continue;
            }
            let name = match param.name() {
                empty if empty.is_empty() => format!("arg{i}"),
                name => name,
            };
            self.trace(Construct::Parameter(param));
            let mut vals = Vals::new();
            for var in vars {
                let term = self.cx.cfa.var_term(var);
                let (held, _) = self.assign_new(&name, term);
                if let Some(source) = self.cx.debug.value_name(param) {
                    self.cx.cfa.vars[held].source = Some(source);
                }
                vals.push(self.cx.cfa.var_term(held));
            }
            if let Some(ty) = f.byval_type(i as u32) {
                let stated = f.parameter_alignment(i as u32).unwrap_or(0);
                vals[0] = self.copy_of(&name, vals[0], ty, stated);
            }
            self.values.insert(param, vals);
        }
        self.origin = Origin::NONE;
        if let Some(var) = self.cx.cfa.funcs[self.func].varargs {
            let uses = f.blocks().iter().any(|b| b.instructions().iter().any(|i| is_va_start(*i)));
            if uses {
                let term = self.cx.cfa.var_term(var);
                let area = self.hold("varargs", term);
                self.varargs = Some(area);
                self.save_registers(area);
            }
        }
    }

    fn lower_block(&mut self, block: Block<'m>) {
        if let Some(label) = self.cx.target_label.clone()
            && !self.cx.cfa.funcs[self.func].library
        {
            let name = block.name();
            if name == label {
                return self.reach_target(&format!("label {label}"));
            }
            if is_renamed(&name, &label) && self.llvm.is_some_and(|f| has_name(f, &label)) {
                let reason = format!("the block {name}, which may be another label {label}");
                self.unsupported(cfa::Unsupported::opaque(reason));
                return self.end();
            }
        }
        for inst in block.instructions() {
            if inst.opcode() == Opcode::Phi || inst.is_debug_instruction() {
                continue;
            }
            self.cx.statistics.instructions += 1;
            self.trace(Construct::Instruction(inst));
            if let Some(span) = self.cx.debug.span(&mut self.cx.cfa.files, inst) {
                self.span = span;
                if let Some(name) = DebugInfo::inlined_from(inst) {
                    self.cx.cfa.inlined.entry((span.file, span.line)).or_insert(name);
                }
            }
            if let Err(why) = self.instruction(inst) {
                let e = EdgeId::from_index(self.cx.next_edge());
                self.no_model(&inst.opcode_name(), why);
                self.note_pointers_passed(e, inst);
            }
            if self.dead {
                return;
            }
        }
    }

    /// What a call that cannot be lowered (`e`) is given the addresses of may be read there.
    fn note_pointers_passed(&mut self, e: EdgeId, inst: Value<'m>) {
        if inst.opcode() != Opcode::Call {
            return;
        }
        let pointers = inst.call_args().into_iter().filter(|a| a.ty().kind() == TypeKind::LLVMPointerTypeKind);
        let given: Vec<Term> = pointers.filter_map(|a| self.value(a).ok()).flatten().collect();
        self.note_opaque(e, &given);
    }

    /// Adds an edge for an instruction that cannot be lowered, with the reason.
    pub(super) fn no_model(&mut self, what: &str, why: NoModel) {
        self.unsupported(cfa::Unsupported::opaque(format!("{what}: {}", why.0)));
        if what_ends_block(what) {
            self.end();
        }
    }

    /// Lowers a terminator.
    pub(super) fn terminator(&mut self, inst: Value<'m>) -> Lowered<()> {
        match inst.opcode() {
            Opcode::Return => {
                if inst.n_operands() > 0 {
                    let vals = self.value(inst.operand(0))?;
                    if let Some(var) = self.cx.cfa.funcs[self.func].result {
                        let packed = self.pack(&vals);
                        self.emit(Op::assign(var, packed));
                    }
                }
                let exit = self.cx.cfa.funcs[self.func].exit;
                self.join(exit);
                self.end();
                Ok(())
            }
            Opcode::Br => {
                let successors = inst.successors();
                if inst.is_conditional() {
                    let cond = self.scalar(inst.condition())?;
                    let cond = self.terms().nonzero(cond);
                    self.cases(inst, &[(cond, successors[0])], Some(successors[1]));
                } else {
                    self.trace(Construct::Way { terminator: inst, to: successors[0] });
                    self.go(inst.parent(), successors[0]);
                }
                Ok(())
            }
            Opcode::Switch => self.switch(inst),
            Opcode::IndirectBr => {
                let address = self.scalar(inst.operand(0))?;
                let mut cases = Vec::new();
                for to in inst.successors() {
                    let label = self.cx.label(to);
                    cases.push((self.terms().eq(address, label), to));
                }
                self.cases(inst, &cases, None);
                Ok(())
            }
            Opcode::Unreachable => {
                // In library models, `unreachable` is no claim of the program: clang derived it.
                if !follows_the_end(inst)
                    && !is_of_cleanup(inst)
                    && !self.cx.resolver.in_library(inst.parent().function())
                {
                    let never = self.terms().bool(false);
                    let here = EdgeId::from_index(self.cx.next_edge());
                    self.cx.assume_reached(here, Assumed::DeclaredImpossible);
                    self.assume(never, AssumeKind::Guard);
                }
                self.end();
                Ok(())
            }
            _ => Err("this terminator is not supported".into()),
        }
    }

    fn switch(&mut self, inst: Value<'m>) -> Lowered<()> {
        let value = self.scalar(inst.operand(0))?;
        let value = if self.cx.weight(value) > 4 { self.hold("switch", value) } else { value };
        let successors = inst.successors();
        let default = successors[0];
        // Cases with the same target block share a test; the tests are in the order of each block's first case.
        let mut place: FxHashMap<Block, usize> = FxHashMap::default();
        let mut groups: BTreeMap<usize, (Block, Vec<Term>)> = BTreeMap::new();
        for (i, &to) in successors.iter().enumerate().skip(1) {
            if to == default {
                continue;
            }
            let case = inst.case_value(i as u32).int_value();
            let case = self.terms().constant(&case);
            let hit = self.terms().eq(value, case);
            let at = *place.entry(to).or_insert(i);
            groups.entry(at).or_insert_with(|| (to, Vec::new())).1.push(hit);
        }
        let mut cases = Vec::new();
        for (to, hits) in groups.into_values() {
            cases.push((self.terms().or_all(hits), to));
        }
        self.cases(inst, &cases, Some(default));
        Ok(())
    }

    /// Emits a chain of tests; without a default block, the execution ends if none holds.
    fn cases(&mut self, terminator: Value<'m>, cases: &[(Term, Block<'m>)], default: Option<Block<'m>>) {
        let (from, origin) = (terminator.parent(), self.origin);
        for &(cond, to) in cases {
            let holds = self.terms().as_bool(cond);
            if holds == Some(false) {
                continue;
            }
            let at = self.at;
            self.trace(Construct::Way { terminator, to });
            if holds == Some(true) {
                return self.go(from, to);
            }
            self.emit(Op::branch(cond));
            self.go(from, to);
            self.origin = origin;
            self.at = at;
            self.dead = false;
            let not = self.terms().not(cond);
            self.emit(Op::branch(not));
        }
        match default {
            Some(to) => {
                self.trace(Construct::Way { terminator, to });
                self.go(from, to);
            }
            None => self.end(),
        }
    }

    /// Continues from block `from` to `to`, assigning the phi nodes of `to`.
    pub(super) fn go(&mut self, from: Block<'m>, to: Block<'m>) {
        let way = self.origin;
        if to.begins_with_phi() {
            self.trace(Construct::Moves { from, to });
        }
        if let Err(why) = self.set_phis(from, to) {
            self.no_model("phi", why);
            return self.end();
        }
        self.origin = way;
        match self.blocks.get(&to) {
            Some(&loc) => self.join(loc),
            None => {
                if self.at == self.cx.cfa.funcs[self.func].entry {
                    self.emit(Op::Skip);
                }
                self.blocks.insert(to, self.at);
                self.heads.insert(self.at);
                self.pending.insert(self.order[&to]);
            }
        }
        self.end();
    }

    /// Assigns to the phi nodes of `to` their values for `from`, all at once.
    fn set_phis(&mut self, from: Block<'m>, to: Block<'m>) -> Lowered<()> {
        let mut set = Vec::new();
        for phi in to.instructions() {
            if phi.opcode() != Opcode::Phi {
                break;
            }
            let Some(vars) = self.phis.get(&phi).cloned() else {
                if phi.has_users() {
                    self.cx.flat(phi.ty())?;
                }
                continue;
            };
            let incoming = phi.incoming().into_iter().find(|(_, b)| *b == from);
            let (value, _) = incoming.ok_or("a phi without a value for this predecessor")?;
            let vals = self.value(value)?;
            for (var, val) in vars.into_iter().zip(vals) {
                if self.cx.cfa.var_term(var) != val {
                    set.push((var, val));
                }
            }
        }
        if !set.is_empty() {
            self.emit(Op::Assign(set.into_boxed_slice()));
        }
        Ok(())
    }

    /// Leads control out of the function, to `exit`.
    pub(super) fn leave(&mut self, exit: cfa::LocId) {
        self.join(exit);
        self.end();
    }

    /// Leads control to `to`: redirects the last edge if nothing else depends on its end, and otherwise adds an edge.
    fn join(&mut self, to: cfa::LocId) {
        let at = self.at;
        let loc = &self.cx.cfa.locs[at];
        let private = at != self.cx.cfa.funcs[self.func].entry
            && loc.out.is_empty()
            && loc.into.len() == 1
            && !self.heads.contains(&at);
        if private {
            let e = loc.into[0];
            self.cx.cfa.edges[e].to = to;
            self.cx.cfa.locs[at].into.clear();
            self.cx.cfa.locs[to].into.push(e);
            self.cx.free_loc(at);
        } else {
            self.edge_between(at, to, Op::Skip);
        }
    }

    /// Concatenates all scalars of a value, the first one lowest.
    pub(super) fn pack(&mut self, vals: &[Term]) -> Term {
        let mut whole = vals[0];
        for &v in &vals[1..] {
            whole = self.terms().concat(v, whole);
        }
        whole
    }

    /// The scalars, of the given widths, that [`Body::pack`] concatenated.
    pub(super) fn unpack(&mut self, whole: Term, widths: impl Iterator<Item = u32>) -> Vals {
        let mut low = 0;
        widths
            .map(|w| {
                low += w;
                self.cx.cfa.terms.extract(low - 1, low - w, whole)
            })
            .collect()
    }
}

fn is_va_start(inst: Value) -> bool {
    inst.opcode() == Opcode::Call && inst.called().is_function() && inst.called().name().starts_with("llvm.va_start")
}

/// Whether the call before an `unreachable` instruction is of a function outside the program that does not return. That the program's own
/// functions do not, where it declares them so, is a claim of the program.
fn follows_the_end(unreachable: Value) -> bool {
    let mut before =
        unreachable.parent().instructions().into_iter().filter(|i| *i != unreachable && !i.is_debug_instruction());
    before.next_back().is_some_and(|call| {
        call.opcode() == Opcode::Call && {
            let called = call.called();
            called.is_function()
                && called.is_declaration()
                && (call.has_call_attribute(AttributeLoc::Function, "noreturn")
                    || called.has_attribute(AttributeLoc::Function, "noreturn"))
        }
    })
}

/// Whether LLVM may have given the name `name` to something that was to be called `wanted`: names are unique in a function, so it appends
/// a number.
fn is_renamed(name: &str, wanted: &str) -> bool {
    name.strip_prefix(wanted).is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit()))
}

/// Whether something in a function has this name.
fn has_name(f: Value, name: &str) -> bool {
    let in_block = |b: &Block| b.name() == name || b.instructions().into_iter().any(|i| i.name() == name);
    f.params().into_iter().any(|p| p.name() == name) || f.blocks().iter().any(in_block)
}

/// Whether an `unreachable` instruction is reached only from switches on `cleanup.dest.slot`, by which clang leaves scopes that have
/// several exits. C has no names with dots, so the slot is not a variable of the program.
fn is_of_cleanup(unreachable: Value) -> bool {
    let users = unreachable.parent().users();
    !users.is_empty()
        && users.into_iter().all(|user| {
            user.is_instruction() && user.opcode() == Opcode::Switch && {
                let condition = user.operand(0);
                condition.is_instruction()
                    && condition.opcode() == Opcode::Load
                    && condition.operand(0).name().starts_with("cleanup.dest.slot")
            }
        })
}

/// Whether an instruction with this name is the last of its block.
fn what_ends_block(what: &str) -> bool {
    matches!(
        what,
        "ret"
            | "br"
            | "switch"
            | "indirectbr"
            | "invoke"
            | "callbr"
            | "resume"
            | "cleanupret"
            | "catchret"
            | "catchswitch"
    )
}

/// The reachable blocks in reverse postorder, the entry first.
fn reverse_postorder(entry: Block) -> Vec<Block> {
    let mut seen: FxHashSet<Block> = FxHashSet::default();
    let mut order = Vec::new();
    let mut stack = vec![(entry, entry.successors().into_iter())];
    seen.insert(entry);
    while let Some((block, rest)) = stack.last_mut() {
        match rest.next() {
            Some(next) => {
                if seen.insert(next) {
                    stack.push((next, next.successors().into_iter()));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}
