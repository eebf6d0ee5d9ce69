//! The call graph, its cycles, and the resolution of indirect calls by points-to.

use crate::cfa_edit;
use crate::points_to::PointsTo;
use crate::scc::components;
use cfa::{
    Cfa, EdgeId, FuncId, Id, IndirectCall, InputKind, LocId, ObjectId, ObjectKind, Op, RawCfa, RawFacts, Scope, Term,
    Unsupported, VarId,
};
use rustc_hash::FxHashMap;

/// Callers and callees of each function, by direct calls.
pub struct CallGraph {
    callers: Vec<Vec<EdgeId>>,
    callees: Vec<Vec<FuncId>>,
    component: Vec<u32>,
    recursive: Vec<bool>,
}

impl CallGraph {
    /// The call graph of a CFA whose indirect calls are resolved.
    pub fn new(cfa: &Cfa) -> CallGraph {
        let n = cfa.funcs.len();
        let (mut callers, mut callees) = (vec![Vec::new(); n], vec![Vec::new(); n]);
        for (e, edge) in cfa.edges.iter_enumerated() {
            if let Op::Call(f) = edge.op {
                callers[f.index()].push(e);
                callees[cfa.locs[edge.from].func.index()].push(f);
            }
        }
        for list in &mut callees {
            list.sort_unstable();
            list.dedup();
        }
        let (mut component, mut recursive) = (vec![0; n], vec![false; n]);
        let found =
            components(n, |f, next: &mut Vec<u32>| next.extend(callees[f as usize].iter().map(|g: &FuncId| g.0)));
        for (i, members) in found.iter().enumerate() {
            for &f in members {
                component[f as usize] = i as u32;
                recursive[f as usize] = members.len() > 1 || callees[f as usize].contains(&FuncId(f));
            }
        }
        CallGraph { callers, callees, component, recursive }
    }

    /// The edges that call `f`, ascending.
    pub fn callers(&self, f: FuncId) -> &[EdgeId] {
        &self.callers[f.index()]
    }

    /// The functions that `f` calls, ascending.
    pub fn callees(&self, f: FuncId) -> &[FuncId] {
        &self.callees[f.index()]
    }

    /// Whether `f` lies on a cycle of the call graph.
    pub fn is_recursive(&self, f: FuncId) -> bool {
        self.recursive[f.index()]
    }

    /// The number of `f`'s strongly connected component; callees outside it have smaller numbers.
    pub fn component(&self, f: FuncId) -> u32 {
        self.component[f.index()]
    }

    /// For each function, whether it runs at most once in an execution: it has at most one call site, which lies outside
    /// cycles and in such a function.
    pub fn run_at_most_once(&self, cfa: &Cfa, in_cycle: &dyn Fn(LocId) -> bool) -> Vec<bool> {
        // Callers have larger component numbers, so descending order visits them first.
        let mut order: Vec<usize> = (0..self.callers.len()).collect();
        order.sort_unstable_by_key(|&f| std::cmp::Reverse(self.component[f]));
        let mut once = vec![false; self.callers.len()];
        for f in order {
            once[f] = !self.recursive[f]
                && match *self.callers[f] {
                    [] => true,
                    [e] => {
                        let from = cfa.edges[e].from;
                        f != cfa.entry.index() && once[cfa.locs[from].func.index()] && !in_cycle(from)
                    }
                    _ => false,
                };
        }
        once
    }
}

/// The functions, by the objects that stand for their code.
fn functions(cfa: &Cfa) -> FxHashMap<ObjectId, FuncId> {
    let function = |(o, object): (ObjectId, &cfa::Object)| match object.kind {
        ObjectKind::Function(f) => Some((o, f)),
        _ => None,
    };
    cfa.objects.iter_enumerated().filter_map(function).collect()
}

/// Replaces each indirect call, in place, by tests of the address and direct calls of the functions that points-to analysis
/// found, or that the program compares addresses with: the edge becomes the first test. After the last test comes a dead end, since a call of an address that is not a
/// function's is undefined behaviour. Where the address may come from outside the program, or points-to analysis knows no callee
/// that it can be, an unsupported edge comes instead. Returns the number of calls resolved.
///
/// Calls in functions that are never reached become dead ends.
pub fn resolve_indirect_calls(raw: &mut RawCfa, points_to: &PointsTo) -> usize {
    let RawCfa { cfa, facts } = raw;
    let function = functions(cfa);
    let mut address: FxHashMap<FuncId, ObjectId> = FxHashMap::default();
    for (o, _) in cfa.objects.iter_enumerated() {
        if let Some(f) = function.get(&o) {
            address.entry(*f).or_insert(o);
        }
    }
    let known = if has_code_outside(cfa) { points_to.known() } else { &[] };
    let known: Vec<FuncId> = known.iter().filter_map(|o| function.get(o).copied()).collect();
    let mut resolved = 0;
    for e in cfa.edges.ids() {
        if !matches!(cfa.edges[e].op, Op::CallIndirect(_)) {
            continue;
        }
        let Op::CallIndirect(call) = std::mem::replace(&mut cfa.edges[e].op, Op::Skip) else { unreachable!() };
        resolved += 1;
        let callees = points_to.callees(e).to_vec();
        let is_alone =
            !call.dispatched && callees.iter().all(|f| call.misfits.contains(f) || points_to.is_called_if_equal(e, *f));
        let open = points_to.may_call_unknown(e);
        let caller = cfa.locs[cfa.edges[e].from].func;
        let end = cfa.edges[e].to;
        // `at` is where the next test begins; the first test is `e` itself.
        let mut at = cfa.edges[e].from;
        let mut first = Some(e);
        for &f in &callees {
            let object = cfa.terms.addr(address[&f], cfa.pointer_bits);
            let is_f = cfa.terms.eq(call.target, object);
            let is_not = cfa.terms.not(is_f);
            let inside = cfa.add_loc(caller);
            let next = cfa.add_loc(caller);
            match first.take() {
                Some(e) => {
                    cfa.edges[e].op = Op::branch(is_f);
                    cfa_edit::redirect(cfa, e, inside);
                }
                None => {
                    cfa_edit::add_like(cfa, e, at, inside, Op::branch(is_f));
                }
            }
            cfa_edit::add_like(cfa, e, at, next, Op::branch(is_not));
            call_directly((cfa, facts), &call, f, (inside, end), e, is_alone);
            at = next;
        }
        if let (Some(e), false) = (first, open) {
            let dead = cfa.add_loc(caller);
            cfa_edit::redirect(cfa, e, dead);
        }
        if open {
            let reason = "indirect call that may leave the program";
            // The callee is an undefined function, and such functions call nothing back, or a function of the program of which the
            // outside knows.
            let outside = Unsupported { may_call: false, ..Unsupported::opaque(reason) };
            let op = Op::Unsupported(Box::new(outside));
            let dead = cfa.add_loc(caller);
            let leaves = match first.take() {
                Some(e) => {
                    cfa.edges[e].op = op;
                    cfa_edit::redirect(cfa, e, dead);
                    e
                }
                None => cfa_edit::add_like(cfa, e, at, dead, op),
            };
            let unseen: Vec<FuncId> = known.iter().copied().filter(|f| !callees.contains(f)).collect();
            if !unseen.is_empty() {
                cfa.module.callbacks.insert(leaves, unseen);
            }
        }
    }
    resolved
}

/// Whether code that is not in the program, other than that of library functions which call nothing back, may get to know its functions.
fn has_code_outside(cfa: &Cfa) -> bool {
    let is_of_others = |assumption: &cfa::Assumption| {
        use cfa::Assumed::{DeclaredOnly, ForeignPointers, Said, Undefined};
        matches!(assumption.what, Undefined { .. } | DeclaredOnly { .. } | ForeignPointers { .. } | Said(_))
    };
    cfa.assumptions.iter().any(is_of_others)
        || cfa.edges.iter().any(|edge| matches!(&edge.op, Op::Unsupported(u) if u.may_call))
}

/// `inside --arguments--> --call f--> --result--> end`. What a call does that does not fit `f` is unknown; `is_alone` says whether no function
/// fits.
fn call_directly(
    (cfa, facts): (&mut Cfa, &mut RawFacts),
    call: &IndirectCall,
    f: FuncId,
    (inside, end): (LocId, LocId),
    e: EdgeId,
    is_alone: bool,
) {
    let caller = cfa.locs[inside].func;
    let fits = !call.misfits.contains(&f);
    let params = if fits { cfa.funcs[f].params.clone() } else { Vec::new() };
    let mut at = inside;
    let step = |cfa: &mut Cfa, at: LocId, op: Op| {
        let next = cfa.add_loc(caller);
        cfa_edit::add_like(cfa, e, at, next, op);
        next
    };
    for (i, param) in params.into_iter().enumerate() {
        let op = match call.args.get(i) {
            Some(&arg) => Op::assign(param, converted(cfa, arg, param)),
            None => Op::Input { var: param, kind: InputKind::Undefined },
        };
        at = step(cfa, at, op);
    }
    if let Some(var) = cfa.funcs[f].varargs.filter(|_| fits) {
        let op = match call.varargs {
            Some(area) => Op::assign(var, converted(cfa, area, var)),
            None => Op::Input { var, kind: InputKind::Undefined },
        };
        at = step(cfa, at, op);
    }
    let after = if call.result.is_some() { cfa.add_loc(caller) } else { end };
    let op = match fits {
        true => Op::Call(f),
        false => {
            let reason = format!("{} is called as if it were of another type", cfa.funcs[f].name);
            // Beside functions of the type that is called, one of another type is there because pointers are known only roughly: C leaves
            // its call undefined.
            Op::Unsupported(Box::new(Unsupported { may_call: is_alone, ..Unsupported::opaque(reason) }))
        }
    };
    let called = cfa_edit::add_like(cfa, e, at, after, op);
    if let Some(args) = facts.opaque_args.get(&e).cloned() {
        facts.opaque_args.insert(called, args);
    }
    let Some(result) = call.result else { return };
    let op = match cfa.funcs[f].result.filter(|_| fits) {
        Some(value) => {
            let value = cfa.var_term(value);
            Op::assign(result, converted(cfa, value, result))
        }
        None => Op::Input { var: result, kind: InputKind::Undefined },
    };
    debug_assert!(cfa.vars[result].scope == Scope::Local(caller) || cfa.vars[result].scope == Scope::Global);
    cfa_edit::add_like(cfa, e, after, end, op);
}

/// `value` in the width of `var`: calls through a pointer of another type convert as the hardware would.
fn converted(cfa: &mut Cfa, value: Term, var: VarId) -> Term {
    let width = cfa.vars[var].sort.width();
    cfa.terms.resize(width, value)
}
