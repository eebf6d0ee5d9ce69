//! Calls of functions with a body, through pointers, and of functions without a body.

use super::body::Body;
use super::{Lowered, Lowering, NoModel, Vals};
use crate::dispatch::DISPATCHED;
use crate::ir::{Type, Value, ValueKind};
use crate::layout::{Flat, Scalar};
use crate::load::Undefined;
use crate::resolve::Callee;
use crate::runtime_names::{calls_back, reads_exceptions};
use crate::verifier_names::is_uninterpreted;
use cfa::bv::BvCmp;
use cfa::{
    AssumeKind, Assumed, Determined, EdgeId, FuncId, Id, IndirectCall, InputKind, Op, Origin, Term, Unsupported,
};
use std::rc::Rc;

/// The arguments of a call and the result it expects.
pub(crate) struct CallSite<'m> {
    /// The called function's name; empty for a call through a pointer.
    pub name: String,
    /// The scalars of each argument.
    pub args: Vec<Vals>,
    /// The arguments' types.
    pub types: Vec<Type<'m>>,
    /// The result's type.
    pub result: Type<'m>,
    /// The call instruction, if there is one.
    pub inst: Option<Value<'m>>,
    /// The type of the object to which the function writes its result, if it expects the address of one as its first argument.
    pub sret: Option<Type<'m>>,
    /// The declaration for which the call stands, if no instruction makes it.
    pub declared: Option<Value<'m>>,
    /// The area of the variadic arguments, if the caller's caller has made it.
    pub area: Option<Term>,
}

impl<'m> CallSite<'m> {
    /// A call without arguments that no instruction makes.
    pub(super) fn made(name: String, result: Type<'m>) -> CallSite<'m> {
        CallSite {
            name,
            args: Vec::new(),
            types: Vec::new(),
            result,
            inst: None,
            sret: None,
            declared: None,
            area: None,
        }
    }

    /// The one scalar of argument `i`.
    pub(super) fn arg(&self, i: usize) -> Lowered<Term> {
        match self.args.get(i).map(Vals::as_slice) {
            Some([t]) => Ok(*t),
            _ => Err(NoModel(format!("a call of {} with arguments that do not match its parameters", self.name))),
        }
    }
}

impl<'l, 's, 'm> Body<'l, 's, 'm> {
    /// Lowers a call instruction.
    pub(super) fn call(&mut self, inst: Value<'m>) -> Lowered<()> {
        let callee = inst.called().stripped();
        if callee.kind() == ValueKind::LLVMInlineAsmValueKind {
            return self.assembly(inst, callee);
        }
        let meaning = callee.is_function().then(|| self.cx.resolver.callee(callee));
        if meaning == Some(Callee::Intrinsic) {
            return self.intrinsic(inst, &callee.name());
        }
        if meaning == Some(Callee::Target) {
            self.reach_target(&callee.name());
            return Ok(());
        }
        let mut site = CallSite {
            name: if callee.is_function() { callee.name() } else { String::new() },
            args: Vec::new(),
            types: Vec::new(),
            result: inst.ty(),
            inst: Some(inst),
            sret: inst.call_sret_type(0),
            declared: None,
            area: None,
        };
        let may_change = meaning == Some(Callee::External) && self.cx.undefined == Undefined::ChangesAny;
        for (i, arg) in (0..).zip(inst.call_args()) {
            let mut vals = self.value(arg)?;
            if may_change && let Some(ty) = inst.call_byval_type(i) {
                vals[0] = self.copy_of("passed", vals[0], ty, inst.call_argument_alignment(i).unwrap_or(0));
            }
            site.args.push(vals);
            site.types.push(arg.ty());
        }
        if meaning.is_some() {
            if let Some(defined) = self.cx.is_defined(callee) {
                self.assume(defined, AssumeKind::Guard);
            }
            self.note_call(callee, &site);
        }
        let vals = match meaning {
            Some(_) if self.cx.observed.contains(&site.name) && !matches!(meaning, Some(Callee::Body(_))) => {
                self.cx.stub(callee);
                self.call_body(callee, &site)?
            }
            Some(meaning) => self.call_function(&meaning, &site)?,
            None => self.call_indirect(callee, &site)?,
        };
        if !self.dead {
            self.define(inst, vals);
        }
        Ok(())
    }

    /// A call of a function with this meaning, and what calls of the library's functions have beside their models.
    fn call_function(&mut self, meaning: &Callee<'m>, site: &CallSite<'m>) -> Lowered<Vals> {
        let models = match meaning {
            Callee::Body(f) => self.cx.resolver.in_library(*f),
            Callee::Builtin(b) => b.manages_memory(),
            _ => false,
        };
        let result = match meaning {
            Callee::Body(f) => {
                let mut printed = None;
                if models {
                    self.check_format(site);
                    self.check_comparison(site)?;
                    self.give_away(site);
                    printed = self.print_pieces(site)?;
                }
                match printed {
                    Some(result) => result,
                    None => self.call_body(*f, site)?,
                }
            }
            other => self.call_by_meaning(other, site)?,
        };
        if models && !self.dead && !self.cx.cfa.funcs[self.func].library {
            self.leaves_errno_open(site)?;
        }
        Ok(result)
    }

    /// Lowers a call that violates the property.
    pub(super) fn reach_target(&mut self, name: &str) {
        let e = self.skip();
        self.cx.cfa.external_calls.insert(e, name.to_string());
        let at = self.at;
        self.cx.cfa.targets.push(at);
        self.end();
    }

    /// A direct call of a function with a body.
    pub(super) fn call_body(&mut self, f: Value<'m>, site: &CallSite<'m>) -> Lowered<Vals> {
        let of_library = f.is_declaration() || self.cx.resolver.in_library(f);
        if !self.is_of_its_type(f, site)? {
            let reason = format!("{} is called as if it were of another type", f.name());
            let may_call = !of_library || calls_back(&site.name);
            let e = self.unsupported(Unsupported { may_call, ..Unsupported::opaque(reason) });
            self.note_opaque_site(e, site);
            return self.open_result(site);
        }
        let id = self.cx.called_function(f);
        let ty = f.value_type();
        let n_fixed = ty.params().len();
        let passed = if ty.is_variadic() { n_fixed.min(site.args.len()) } else { site.args.len() };
        let given: Vec<Term> = site.args[..passed].iter().flatten().copied().collect();
        let used = self.used_params(f)?;
        let params = self.cx.cfa.funcs[id].params.clone();
        let mut set = Vec::new();
        for (i, var) in params.into_iter().enumerate() {
            if !used[i] {
                continue;
            }
            let bits = self.cx.cfa.vars[var].sort.width();
            let value = match given.get(i) {
                Some(&t) if !self.cx.is_undef(t) => self.terms().resize(bits, t),
                _ => self.undefined(bits),
            };
            set.push((var, value));
        }
        if let Some(var) = self.cx.cfa.funcs[id].varargs {
            let area = match site.area {
                Some(area) => area,
                None => self.variadic_area(site, n_fixed.min(site.args.len()))?,
            };
            set.push((var, area));
        }
        for (var, value) in set {
            self.emit(Op::assign(var, value));
        }
        let e = self.emit(Op::Call(id));
        if of_library {
            self.note_opaque_site(e, site);
        }
        let wanted = self.cx.flat(site.result)?;
        if wanted.leaves.is_empty() || site.inst.is_some_and(|i| !i.has_users()) {
            let cx = &mut self.cx;
            return Ok(wanted.leaves.iter().map(|l| cx.undef(l.bits)).collect());
        }
        let bits = wanted.total_bits();
        let packed = match self.cx.cfa.funcs[id].result {
            Some(var) => {
                let term = self.cx.cfa.var_term(var);
                let term = self.terms().resize(bits, term);
                let name = site.inst.map(|i| i.name()).filter(|n| !n.is_empty()).unwrap_or_else(|| "result".into());
                self.hold(&name, term)
            }
            None => self.undefined(bits),
        };
        Ok(self.unpack(packed, wanted.leaves.iter().map(|l| l.bits)))
    }

    /// For each scalar parameter of `f`, whether the body reads it; a function without a body may read all.
    fn used_params(&mut self, f: Value<'m>) -> Lowered<Vec<bool>> {
        let mut used = Vec::new();
        for param in f.params() {
            let n = self.cx.flat(param.ty()).map_or(0, |flat| flat.leaves.len());
            used.extend(std::iter::repeat_n(param.has_users() || f.is_declaration(), n));
        }
        Ok(used)
    }

    fn call_indirect(&mut self, callee: Value<'m>, site: &CallSite<'m>) -> Lowered<Vals> {
        let target = self.scalar(callee)?;
        let not_null = self.terms().nonzero(target);
        // What is variadic is for the function that is called to say: the call may have no prototype, or another one.
        let varargs = match self.cx.reachable.fewest_named {
            Some(named) => Some(self.variadic_area(site, named.min(site.args.len()))?),
            None => None,
        };
        let wanted = self.cx.flat(site.result)?;
        let bits = wanted.total_bits();
        let name = site.inst.map(|i| i.name()).filter(|n| !n.is_empty()).unwrap_or_else(|| "result".into());
        let result = (bits > 0).then(|| self.result_var(&name, bits));
        if !self.is_object_address(target) {
            self.assume(not_null, AssumeKind::Guard);
        }
        if self.dead {
            return Ok(Vals::new());
        }
        let args = site.args.iter().flatten().copied().collect();
        let e = self.emit(Op::CallIndirect(Box::new(IndirectCall {
            target,
            args,
            result,
            varargs,
            misfits: Box::default(),
            dispatched: site.inst.is_some_and(|i| i.call_has_string_attribute(DISPATCHED)),
        })));
        self.note_indirect_call(e, site)?;
        self.note_opaque_site(e, site);
        match result {
            None => Ok(Vals::new()),
            Some(var) => {
                let packed = self.cx.cfa.var_term(var);
                Ok(self.unpack(packed, wanted.leaves.iter().map(|l| l.bits)))
            }
        }
    }

    /// Lowers a call of a function with this meaning, without what calls of the library's functions have beside their models, and returns
    /// the scalars of its result.
    pub(super) fn call_by_meaning(&mut self, callee: &Callee<'m>, site: &CallSite<'m>) -> Lowered<Vals> {
        match callee {
            Callee::Body(f) => self.call_body(*f, site),
            Callee::Target => {
                self.reach_target(&site.name);
                Ok(Vals::new())
            }
            Callee::Builtin(b) => self.builtin(*b, site),
            Callee::Intrinsic => Err(NoModel(format!("the address of the intrinsic {}", site.name))),
            Callee::Unmodelled => self.unmodelled(site),
            Callee::Replaced => {
                let reason = match site.inst.is_some() && !self.cx.cfa.funcs[self.func].library {
                    true => format!("{} may call an allocator that the program defines itself", site.name),
                    false => format!("library function {} calls {}, which the program replaces", self.name, site.name),
                };
                let e = self.unsliceable(reason);
                self.cx.cfa.external_calls.insert(e, site.name.clone());
                self.open_result(site)
            }
            Callee::External if site.inst.is_some_and(|inst| inst.returns_twice()) => {
                self.no_model("call", NoModel(format!("{}, which may return twice", site.name)));
                self.open_result(site)
            }
            Callee::External => {
                self.hold_arguments(site);
                let first = self.cx.cfa.edges.len();
                if self.cx.undefined == Undefined::ChangesAny {
                    let kind = InputKind::External(site.name.as_str().into());
                    let var = self.cx.mem;
                    let e = self.emit(Op::Input { var, kind });
                    self.cx.facts.escapes.insert(e, site.args.iter().flatten().copied().chain(site.area).collect());
                    self.cx.cfa.external_calls.insert(e, site.name.clone());
                    self.cx.cfa.weak_inputs.insert(e);
                    self.note_opaque_site(e, site);
                }
                let result = self.input_result(site, InputKind::External(site.name.as_str().into()))?;
                if site.inst.is_some_and(|inst| inst.returns_no_null()) {
                    self.assume_not_null(&result);
                }
                let in_memory = self.input_in_memory(site)?;
                let returned = self.cx.flat(site.result)?;
                let returned = returned.leaves.iter().chain(in_memory.iter().flat_map(|flat| &flat.leaves));
                let returns_pointer = returned.map(|l| l.scalar).any(|s| s == Scalar::Pointer);
                let calls = (first..self.cx.cfa.edges.len()).map(EdgeId::from_index);
                let outsider = self.cx.externals.entry(site.name.clone()).or_default();
                outsider.calls.extend(calls);
                outsider.returns_pointer |= returns_pointer;
                outsider.is_const |= depends_on_arguments(site);
                if self.cx.note_opaque && self.cx.undefined != Undefined::ReadsArguments {
                    let edges = first..self.cx.cfa.edges.len();
                    self.cx.facts.opaque_calls.extend(edges.map(EdgeId::from_index));
                }
                Ok(result)
            }
        }
    }

    /// Assumes of a pointer from outside what the program declares: that it is not null.
    pub(super) fn assume_not_null(&mut self, pointer: &[Term]) {
        let first = self.cx.next_edge();
        for &scalar in pointer {
            let cond = self.terms().nonzero(scalar);
            self.assume(cond, AssumeKind::User);
        }
        self.cx.assume_from(first, Assumed::DeclaredImpossible);
    }

    /// A call of a function of the C library that has no model.
    fn unmodelled(&mut self, site: &CallSite<'m>) -> Lowered<Vals> {
        let reason = format!("library function {} has no model", site.name);
        let may_call = calls_back(&site.name);
        let e = match reads_exceptions(&site.name) {
            true => self.unsliceable(reason),
            false => self.unsupported(Unsupported { may_call, ..Unsupported::opaque(reason) }),
        };
        self.cx.cfa.external_calls.insert(e, site.name.clone());
        self.note_opaque_site(e, site);
        self.open_result(site)
    }

    /// A result about which nothing is known, after an unsupported edge.
    fn open_result(&mut self, site: &CallSite<'m>) -> Lowered<Vals> {
        let flat = self.cx.flat(site.result)?;
        let cx = &mut self.cx;
        Ok(flat.leaves.iter().map(|l| cx.undef(l.bits)).collect())
    }

    /// A result that is an arbitrary value of its type; the edge that draws it represents the call.
    pub(super) fn input_result(&mut self, site: &CallSite<'m>, kind: InputKind) -> Lowered<Vals> {
        let flat = self.cx.flat(site.result)?;
        let name = site.inst.map(|i| i.name()).filter(|n| !n.is_empty()).unwrap_or_else(|| site.name.clone());
        if flat.leaves.is_empty() {
            let e = self.skip();
            self.cx.cfa.external_calls.insert(e, site.name.clone());
            self.note_opaque_site(e, site);
            return Ok(Vals::new());
        }
        let is_external = matches!(kind, InputKind::External(_));
        let arguments = if is_external && depends_on_arguments(site) { self.scalar_arguments(site) } else { None };
        let mut vals = Vals::new();
        for (i, leaf) in (0..).zip(&flat.leaves) {
            let var = self.result_var(&name, leaf.bits);
            let e = self.emit(Op::Input { var, kind: kind.clone() });
            if let Some(arguments) = &arguments {
                self.cx.cfa.determined.insert(e, Determined { part: i, by: arguments.clone(), noted: None });
            }
            self.cx.cfa.external_calls.insert(e, site.name.clone());
            self.note_opaque_site(e, site);
            let value = self.cx.cfa.var_term(var);
            vals.push(if leaf.scalar == Scalar::Pointer {
                let number = self.number_of_outsider(value);
                self.cx.outside_address(number)
            } else {
                value
            });
        }
        Ok(vals)
    }

    /// The arguments of a call of an undefined function, if they and the result are all passed as scalars.
    fn scalar_arguments(&mut self, site: &CallSite<'m>) -> Option<Box<[Term]>> {
        site.inst.or(site.declared)?;
        let in_memory = |inst: Value<'m>| (0..).zip(&site.args).any(|(i, _)| inst.call_byval_type(i).is_some());
        let are_scalars = !site.inst.is_some_and(in_memory) && site.sret.is_none() && site.area.is_none();
        // Preparation changes what terms read from memory.
        are_scalars.then(|| site.args.iter().flatten().map(|t| self.hold("argument", *t)).collect())
    }

    /// Gives the arguments of a call that no edge shows variables: what the program computes with addresses counts, whoever receives it.
    fn hold_arguments(&mut self, site: &CallSite<'m>) {
        let word = self.cx.pointer_bits();
        for &t in site.args.iter().flatten() {
            if !self.cx.cfa.terms.args(t).is_empty() {
                self.hold("argument", t);
            }
            // Addresses may be anywhere in numbers wider than they are.
            if self.cx.cfa.terms.width(t) > word && self.cx.cfa.terms.as_bv(t).is_none() {
                let e = self.skip();
                self.cx.facts.given_away.insert(e, vec![(t, false)]);
            }
        }
    }

    /// Writes an arbitrary result to memory if the call expects it there (`sret`), and returns the scalars of its type. `None` if there
    /// is no such result, or if its type has no scalars.
    fn input_in_memory(&mut self, site: &CallSite<'m>) -> Lowered<Option<Rc<Flat>>> {
        let Some((address, ty)) = site.sret.and_then(|ty| Some((*site.args.first()?.first()?, ty))) else {
            return Ok(None);
        };
        let kind = InputKind::External(site.name.as_str().into());
        let Ok(flat) = self.cx.flat(ty) else {
            let bytes = self.cx.layout.size(ty);
            let bytes = self.word(bytes);
            self.forget(&site.name, address, bytes, kind);
            return Ok(None);
        };
        let result = CallSite::made(site.name.clone(), ty);
        let vals = self.input_result(&result, kind)?;
        // A union is represented by one of its members.
        let vals = self.maybe_pointers(&flat, vals);
        let mem = self.mem();
        let new = self.written(mem, address, &flat, &vals);
        self.set_mem(new);
        Ok(Some(flat))
    }

    /// Restricts an arbitrary number to addresses that the environment may return. They lie outside
    /// [`cfa::graph::NOT_FROM_OUTSIDE`], which holds the objects that the environment does not know.
    fn number_of_outsider(&mut self, value: Term) -> Term {
        let width = self.cx.pointer_bits();
        let (begin, end) = self.cx.not_from_outside();
        let terms = self.terms();
        let (first, last) = (terms.int(width, begin), terms.int(width, end - 1));
        let (above, below) = (terms.cmp(BvCmp::Ule, first, value), terms.cmp(BvCmp::Ule, value, last));
        let excluded = terms.and(above, below);
        let low = terms.extract(begin.trailing_zeros() - 1, 0, value);
        let low = terms.zext(width, low);
        let number = terms.ite(excluded, low, value);
        self.hold("outside", number)
    }

    /// Records the arguments of a call in the program whose effect the graph does not show.
    pub(super) fn note_opaque_site(&mut self, e: EdgeId, site: &CallSite<'m>) {
        let args: Vec<Term> = site.args.iter().flatten().copied().collect();
        self.note_opaque(e, &args);
    }

    /// Records the arguments of an edge of the program. Edges of stubs and library models have no origin in the program.
    pub(super) fn note_opaque(&mut self, e: EdgeId, args: &[Term]) {
        if !self.cx.note_opaque || self.origin == Origin::NONE {
            return;
        }
        let constant = |t: Term| self.cx.is_undef(t) || self.cx.cfa.terms.as_bv(t).is_some();
        let args: Vec<Term> = args.iter().copied().filter(|t| !constant(*t)).collect();
        if !args.is_empty() {
            self.cx.facts.opaque_args.insert(e, args);
        }
    }

    /// Lowers the body of a function that represents one without a body.
    pub(super) fn lower_stub(cx: &'l mut Lowering<'s, 'm>, f: Value<'m>, id: FuncId) {
        let mut body = Body::new(cx, id);
        let callee = body.cx.resolver.callee(f);
        let ty = f.value_type();
        let mut params = body.cx.cfa.funcs[id].params.clone().into_iter();
        let area = body.cx.cfa.funcs[id].varargs.map(|v| body.cx.cfa.var_term(v));
        let mut site = CallSite {
            types: ty.params(),
            sret: f.sret_type(0),
            declared: Some(f),
            area,
            ..CallSite::made(f.name(), ty.returns())
        };
        for (i, param) in (0..).zip(ty.params()) {
            let n = body.cx.flat(param).map_or(0, |flat| flat.leaves.len());
            let vars: Vec<_> = params.by_ref().take(n).collect();
            let mut vals: Vals = vars.into_iter().map(|v| body.cx.cfa.var_term(v)).collect();
            if let Some(ty) = f.byval_type(i) {
                vals[0] = body.copy_of("passed", vals[0], ty, f.parameter_alignment(i).unwrap_or(0));
            }
            site.args.push(vals);
        }
        match body.call_function(&callee, &site) {
            Err(why) => body.no_model("call", why),
            Ok(vals) => {
                if let Some(var) = body.cx.cfa.funcs[id].result
                    && !vals.is_empty()
                    && !body.dead
                {
                    let mut vals = vals;
                    for t in &mut vals {
                        if body.cx.is_undef(*t) {
                            let bits = body.cx.cfa.terms.width(*t);
                            *t = body.undefined(bits);
                        }
                    }
                    let packed = body.pack(&vals);
                    body.emit(Op::assign(var, packed));
                }
            }
        }
        if !body.dead {
            let exit = body.cx.cfa.funcs[id].exit;
            body.leave(exit);
        }
    }

    /// Calls a function without arguments for its effect.
    pub(super) fn call_plain(&mut self, f: Value<'m>) -> Lowered<()> {
        let ty = f.value_type();
        let site = CallSite::made(f.name(), ty.returns());
        self.call_body(f, &site)?;
        Ok(())
    }
}

/// Whether the results of an undefined function depend on its arguments alone.
fn depends_on_arguments(site: &CallSite<'_>) -> bool {
    site.inst.or(site.declared).is_some_and(Value::is_declared_const) || is_uninterpreted(&site.name)
}
