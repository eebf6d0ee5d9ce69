//! Checks that a solution is closed: whatever an operation computes from claimed values is claimed for what it writes.

use super::values::bases;
use super::{CARRYING_BITS, Check, Flow, NotClosed, Verdict};
use cfa::bv::BvOp;
use cfa::offset::Offset;
use cfa::pointers::{PointerClaims, SetId, refuted_targets};
use cfa::term::{Kind, Sort, Term};
use cfa::{EdgeId, InputKind, ObjectId, ObjectKind, Op, RawCfa, VarId};

/// Length of the start of copied blocks in which granules are distinguished, in bytes.
const FIELDS_COPIED_BYTES: u64 = 256;

/// Checks that `claims` are closed under the operations of `raw`. Cost: linear in the operations, times the size of the sets.
pub fn check_pointers(raw: &RawCfa, claims: &PointerClaims) -> Verdict {
    let mut check = Check::new(raw, claims)?;
    check.outside()?;
    if !check.is_reached(raw.cfa.entry) {
        return Err(NotClosed("the entry function is not among those that may be called".into()));
    }
    check.each_edge(Check::edge)
}

impl Check<'_> {
    /// Checks what the outside knows, and that whatever it knows may be read and written by it.
    fn outside(&mut self) -> Verdict {
        let (known, exposed) = (self.claims.known, self.claims.exposed);
        self.within(exposed, known, || "what the outside knows".into())?;
        let Some(o) = self.outside else { return Ok(()) };
        let out = self.outside_set();
        let itself = self.set(vec![(o, Offset::ANY)]);
        self.within(itself, out, || "what lies outside".into())?;
        let declared = |(o, object): (ObjectId, &cfa::Object)| object.declared.then_some((o, Offset::exact(0)));
        let declared = self.cfa.objects.iter_enumerated().filter_map(declared).collect();
        let declared = self.set(declared);
        self.within(declared, known, || "what the outside knows".into())?;
        for (o, _) in self.claims.sets[known as usize].clone() {
            if matches!(self.cfa.objects[o].kind, ObjectKind::Function(_)) {
                continue;
            }
            let held = self.read_any(o);
            self.within(held, out, || "what lies outside".into())?;
            self.write_any(o, out)?;
        }
        Ok(())
    }

    fn copy_flow(&self, from: u32, to: u32) -> Flow {
        if from == self.cfa.pointer_bits && to == from { Flow::Plain } else { Flow::Part }
    }

    /// Checks that `v` is claimed to hold the value of `t`.
    fn assigned(&mut self, t: Term, v: VarId) -> Verdict {
        let cfa = self.cfa;
        let (Sort::Bv(from), Sort::Bv(to)) = (cfa.terms.sort(t), cfa.vars[v].sort) else { return Ok(()) };
        if from < CARRYING_BITS || to < CARRYING_BITS {
            return Ok(());
        }
        let s = self.value(t);
        let s = self.flow(s, self.copy_flow(from, to));
        self.within(s, self.claims.of_var(v), || cfa.vars[v].name.clone())
    }

    /// Whether the bytes of an input are chosen outside the program.
    fn comes_from_outside(&self, e: EdgeId, kind: &InputKind) -> bool {
        match kind {
            InputKind::Program(_) | InputKind::External(_) | InputKind::Library(_) | InputKind::Approximate(_) => {
                !self.facts.address_vectors.contains_key(&e)
            }
            InputKind::Uninitialised | InputKind::Undefined | InputKind::Layout => false,
        }
    }

    /// Checks that what the edge's operation writes, exposes and calls is claimed.
    fn edge(&mut self, e: EdgeId) -> Verdict {
        let (cfa, facts) = (self.cfa, self.facts);
        let op = &cfa.edges[e].op;
        let allocation = cfa.allocations.get(&e);
        let mut roots = op.terms().into_vec();
        roots.extend(facts.opaque_args.get(&e).into_iter().flatten());
        roots.extend(facts.escapes.get(&e).into_iter().flatten());
        roots.extend(facts.given_away.get(&e).into_iter().flatten().map(|g| g.0));
        roots.extend(facts.block_questions.get(&e).map(|q| q.address));
        roots.extend(facts.address_vectors.get(&e).into_iter().flat_map(|v| [v.begin, v.end]));
        roots.extend(cfa.frees.get(&e));
        roots.extend(cfa.apart.get(&e).into_iter().flatten());
        roots.extend(allocation.map(|a| a.size));
        self.effects(&roots)?;
        for &(t, is_address) in facts.given_away.get(&e).into_iter().flatten() {
            let s = self.value(t);
            let s = if is_address { self.read(s, 0, None) } else { s };
            let s = self.flow(s, Flow::Part);
            self.within(s, self.claims.exposed, || "what is exposed".into())?;
        }
        if let Some(given) = facts.escapes.get(&e) {
            self.escape(given)?;
        }
        if let Some(vector) = facts.address_vectors.get(&e) {
            let (to, held) = (self.value(vector.begin), self.set(vec![(vector.object, Offset::ANY)]));
            self.write(to, 0, None, held)?;
        }
        match op {
            Op::Assign(list) => {
                for &(v, t) in list {
                    match allocation {
                        Some(a) if a.var == v => {
                            let new = self.set(vec![(a.object, Offset::exact(0))]);
                            self.within(new, self.claims.of_var(v), || cfa.vars[v].name.clone())?;
                        }
                        _ => self.assigned(t, v)?,
                    }
                }
                Ok(())
            }
            Op::Input { var, kind } if Some(*var) != self.memory && self.comes_from_outside(e, kind) => {
                match cfa.vars[*var].sort {
                    Sort::Array { .. } => {
                        self.within(self.outside_set(), self.claims.of_var(*var), || cfa.vars[*var].name.clone())
                    }
                    _ => Ok(()),
                }
            }
            Op::Call(f) if !self.is_reached(*f) => Err(NotClosed(format!("{} may be called", cfa.funcs[*f].name))),
            Op::CallIndirect(call) => self.indirect_call(e, call),
            _ => Ok(()),
        }
    }

    fn indirect_call(&mut self, e: EdgeId, call: &cfa::IndirectCall) -> Verdict {
        let cfa = self.cfa;
        let target = self.value(call.target);
        let callees = self.claims.callees.get(&e).map_or(&[][..], |c| c);
        let refuted = refuted_targets(cfa, e);
        for (o, _) in self.sets[target as usize].clone() {
            match cfa.objects[o].kind {
                ObjectKind::Function(_) if refuted.contains(&o) => {}
                ObjectKind::Outside if !self.claims.open_calls.contains(&e) => {
                    return Err(NotClosed("the call may leave the program".into()));
                }
                ObjectKind::Function(f) if !callees.contains(&f) || !self.is_reached(f) => {
                    return Err(NotClosed(format!("{} may be called", cfa.funcs[f].name)));
                }
                _ => {}
            }
        }
        for f in callees {
            let func = cfa.funcs.get(*f).ok_or_else(|| NotClosed("a function does not exist".into()))?;
            for (&arg, &param) in call.args.iter().zip(&func.params) {
                self.assigned(arg, param)?;
            }
            if let (Some(area), Some(var)) = (call.varargs, func.varargs) {
                self.assigned(area, var)?;
            }
            if let (Some(from), Some(to)) = (func.result, call.result)
                && let (Sort::Bv(wf), Sort::Bv(wt)) = (cfa.vars[from].sort, cfa.vars[to].sort)
                && wf.min(wt) >= CARRYING_BITS
            {
                let s = self.flow(self.claims.of_var(from), self.copy_flow(wf, wt));
                self.within(s, self.claims.of_var(to), || cfa.vars[to].name.clone())?;
            }
        }
        Ok(())
    }

    /// Checks that the outside knows the arguments of an undefined function that changes memory, and the objects that it can name.
    fn escape(&mut self, given: &[Term]) -> Verdict {
        let known = self.claims.known;
        let shared = self.cfa.objects.iter_enumerated().filter(|(_, o)| o.shared).map(|(o, _)| (o, Offset::exact(0)));
        let shared = shared.collect();
        let mut all = vec![self.set(shared)];
        let out = self.outside_set();
        all.push(self.flow(out, Flow::Part));
        for t in given {
            let s = self.value(*t);
            all.push(self.flow(s, Flow::Part));
        }
        all.into_iter().try_for_each(|s| self.within(s, known, || "what the outside knows".into()))
    }

    /// Checks what the subterms of `roots` write and expose.
    fn effects(&mut self, roots: &[Term]) -> Verdict {
        let subterms = self.cfa.terms.subterms(roots, |t| self.seen.contains(&t));
        self.seen.extend(&subterms);
        for t in subterms {
            match self.cfa.terms.kind(t) {
                Kind::Write => self.written(t)?,
                Kind::Copy => self.copied(t)?,
                _ => {}
            }
            self.exposure(t)?;
        }
        Ok(())
    }

    fn written(&mut self, t: Term) -> Verdict {
        let terms = &self.cfa.terms;
        let args = terms.args(t);
        let width = terms.width(args[2]);
        // Several addresses in one value: a block that is copied.
        let of_memory = |base: &Term| matches!(terms.kind(*base), Kind::Var(v) if Some(v) == self.memory);
        if terms.kind(args[2]) == Kind::Read
            && width > self.cfa.pointer_bits
            && bases(self.cfa, terms.args(args[2])[0]).iter().all(of_memory)
        {
            let (to, from) = (self.value(args[1]), self.value(terms.args(args[2])[1]));
            return self.copied_block(from, to, Some(u64::from(width / 8)));
        }
        let (address, value) = (self.value(args[1]), self.value(args[2]));
        let value = self.flow(value, if width == self.cfa.pointer_bits { Flow::Plain } else { Flow::Part });
        self.write(address, 0, Some(u64::from(width.div_ceil(8))), value)
    }

    /// Checks that what lies in a block at `from` is claimed to lie at `to`.
    fn copied_block(&mut self, from: SetId, to: SetId, bytes: Option<u64>) -> Verdict {
        let granule = u64::from(self.cfa.pointer_bits / 8).max(1);
        let start = bytes.unwrap_or(u64::MAX).min(FIELDS_COPIED_BYTES);
        for at in (0..start).step_by(granule as usize) {
            let bytes = Some(granule.min(start - at));
            let held = self.read(from, at, bytes);
            self.write(to, at, bytes, held)?;
        }
        if bytes.is_some_and(|n| n <= start) {
            return Ok(());
        }
        let held = self.read(from, start, None);
        self.write(to, start, None, held)
    }

    fn copied(&mut self, t: Term) -> Verdict {
        let cfa = self.cfa;
        let &[_, to, source, from, len] = cfa.terms.args(t) else { return Ok(()) };
        let (to, from) = (self.value(to), self.value(from));
        for base in bases(cfa, source) {
            match cfa.terms.kind(base) {
                Kind::Var(v) if Some(v) == self.memory => self.copied_block(from, to, cfa.terms.as_u64(len))?,
                Kind::Var(v) => {
                    let s = self.flow(self.claims.of_var(v), Flow::Part);
                    self.write(to, 0, None, s)?;
                }
                Kind::ConstArray => {
                    let value = self.value(cfa.terms.args(base)[0]);
                    let value = self.flow(value, Flow::Part);
                    self.write(to, 0, None, value)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Checks that operands that `t` treats as numbers are claimed to be exposed.
    fn exposure(&mut self, t: Term) -> Verdict {
        let cfa = self.cfa;
        let args = cfa.terms.args(t);
        match cfa.terms.kind(t) {
            Kind::Cmp(_) if self.compared.contains(&t) => {
                for (a, b) in [(args[0], args[1]), (args[1], args[0])] {
                    // What may come from outside, or be made of a number, tells where the other one lies.
                    let told = self.value(b);
                    let told = self.sets[told as usize].iter().any(|p| Some(p.0) == self.outside);
                    self.exposed(a, !told)?;
                }
                Ok(())
            }
            Kind::Bv(BvOp::Add | BvOp::Sub) if cfa.terms.width(t) == cfa.pointer_bits => {
                let outside = self.outside;
                let is_outside = |t: Term| matches!(cfa.terms.kind(t), Kind::Addr(o) if Some(o) == outside);
                if is_outside(args[0]) || is_outside(args[1]) {
                    return Ok(());
                }
                let (a, b) = (self.value(args[0]), self.value(args[1]));
                let counts = match self.compared.contains(&t) {
                    // The difference of two pointers into one object says nothing about where it lies.
                    true => self.difference_carries(a, b) && self.is_address(a) && self.is_address(b),
                    false => self.points_inside(a) && self.points_inside(b),
                };
                if counts {
                    args.iter().try_for_each(|a| self.exposed(*a, false))?;
                }
                Ok(())
            }
            Kind::Extract { .. } if cfa.terms.width(t) >= cfa.pointer_bits => Ok(()),
            Kind::Bv(_) | Kind::Cmp(_) | Kind::BvNot | Kind::BvNeg | Kind::Extract { .. } | Kind::Float(..) => {
                args.iter().try_for_each(|a| self.exposed(*a, false))
            }
            Kind::Eq => args.iter().try_for_each(|a| self.exposed(*a, true)),
            Kind::Read | Kind::Write => self.exposed(args[1], true),
            _ => Ok(()),
        }
    }

    fn exposed(&mut self, t: Term, only_mangled: bool) -> Verdict {
        let s = self.value(t);
        let looked_at = self.sets[s as usize].iter().filter(|p| !only_mangled || p.1.is_mangled());
        let looked_at = looked_at.map(|p| (p.0, Offset::MANGLED)).collect();
        let s = self.set(looked_at);
        self.within(s, self.claims.exposed, || "what is exposed".into())
    }
}
