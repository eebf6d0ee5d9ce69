//! The edges that slices have to keep: the closure of the flow dependences that the analysis finds and of the slicer's control dependences.

use super::budget;
use cfa::{Cfa, EdgeId, LocId, Op, VarId};
use slicer::Criterion;
use slicer::dependence::control_dep::{ControlDependence, ControlKind, DecidedOrders};
use slicer::dependence::relevant::Live;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use verifier::oracle::dependence::{FlowDependence, flow_dependences, reaching_definitions};
use verifier::program::Program;

/// What a slice for `criterion` has to keep, by flow dependences that the analysis finds and the slicer's control dependences. A
/// function is called everywhere if anything in it matters.
pub(crate) struct Closure<'a> {
    cfa: &'a Cfa,
    control: ControlDependence,
    orders: DecidedOrders,
    flow: BTreeMap<EdgeId, BTreeSet<(VarId, EdgeId)>>,
    /// Whether the only write of a variable counts for all its reads.
    single_writers: bool,
    kept: BTreeSet<EdgeId>,
    relevant: BTreeSet<LocId>,
}

impl<'a> Closure<'a> {
    pub(crate) fn of(
        cfa: &'a Arc<Cfa>,
        criterion: &Criterion,
        kind: ControlKind,
        single_writers: bool,
    ) -> BTreeSet<EdgeId> {
        let program = Program::uncompacted(cfa.clone());
        let mut solver = smt::standard(smt::Limits::default());
        let mut flow: BTreeMap<EdgeId, BTreeSet<(VarId, EdgeId)>> = BTreeMap::new();
        for d in self::flow(cfa) {
            flow.entry(d.on).or_default().insert((d.var, d.from));
        }
        let reaching = reaching_definitions(&program, &mut solver, budget()).expect("an answer");
        let control = ControlDependence::new(cfa, &Live::reachable(cfa), &[criterion.at], kind.into());
        let (orders, kept, relevant) = (control.decided_orders(), BTreeSet::new(), BTreeSet::new());
        let mut closure = Closure { cfa, control, orders, flow, single_writers, kept, relevant };
        closure.reach(criterion.at);
        for &(v, e) in reaching.get(&criterion.at).into_iter().flatten() {
            if criterion.vars.contains(&v) {
                closure.keep(e);
            }
        }
        criterion.vars.iter().for_each(|v| closure.keep_single_writer(*v));
        closure.kept
    }

    fn keep(&mut self, e: EdgeId) {
        if !self.kept.insert(e) {
            return;
        }
        let edge = &self.cfa.edges[e];
        self.reach(edge.from);
        for (_, from) in self.flow.get(&e).cloned().unwrap_or_default() {
            self.keep(from);
        }
        for v in edge.op.terms().into_iter().flat_map(|t| self.cfa.terms.vars(t)) {
            self.keep_single_writer(v);
        }
    }

    fn keep_single_writer(&mut self, v: VarId) {
        let live = Live::reachable(self.cfa);
        let writes = |e: &EdgeId| live.edge(*e) && self.cfa.edges[*e].op.written().contains(&v);
        let writers: Vec<EdgeId> = self.cfa.edges.ids().filter(writes).collect();
        if let [e] = writers[..]
            && self.single_writers
        {
            self.keep(e);
        }
    }

    fn reach(&mut self, l: LocId) {
        if !self.relevant.insert(l) {
            return;
        }
        let mut deciding = self.control.controllers(l).to_vec();
        self.orders.add(&self.control, l, |p| deciding.push(p));
        for c in deciding {
            self.reach(c);
            for &e in self.cfa.out(c) {
                match self.cfa.edges[e].op {
                    Op::Assume { .. } => self.keep(e),
                    Op::Call(g) => self.reach(self.cfa.funcs[g].exit),
                    _ => {}
                }
            }
        }
        let live = Live::reachable(self.cfa);
        for (e, edge) in self.cfa.edges.iter_enumerated() {
            if edge.op == Op::Call(self.cfa.locs[l].func) && live.edge(e) {
                self.keep(e);
            }
        }
    }
}

/// All flow dependences of the program.
fn flow(cfa: &Arc<Cfa>) -> BTreeSet<FlowDependence> {
    let mut solver = smt::standard(smt::Limits::default());
    flow_dependences(&Program::uncompacted(cfa.clone()), &mut solver, budget()).expect("an answer")
}

/// What `seeds` may affect: over flow dependences, branches and the locations that they control, calls and what they call.
pub(crate) fn affected(cfa: &Arc<Cfa>, seeds: &[EdgeId], kind: ControlKind) -> BTreeSet<EdgeId> {
    let live = Live::reachable(cfa);
    let control = ControlDependence::new(cfa, &live, &[], kind.into());
    let mut users: BTreeMap<EdgeId, Vec<EdgeId>> = BTreeMap::new();
    flow(cfa).iter().for_each(|d| users.entry(d.from).or_default().push(d.on));
    let mut controlled: BTreeMap<LocId, Vec<LocId>> = BTreeMap::new();
    for l in cfa.locs.ids().filter(|l| live.loc(*l)) {
        let by = control.controllers(l).iter().copied().chain(control.order_predicates(l));
        by.for_each(|c| controlled.entry(c).or_default().push(l));
    }
    let of_function =
        |f| cfa.locs.ids().filter(move |l| cfa.locs[*l].func == f).flat_map(|l| cfa.out(l).iter().copied());
    let calls = |f| cfa.edges.iter_enumerated().filter(move |(_, edge)| edge.op == Op::Call(f)).map(|(e, _)| e);
    let (mut found, mut work) = (BTreeSet::new(), seeds.to_vec());
    // Branches, and calls for which it is affected whether they return.
    let (mut deciding, mut decided) = (Vec::new(), BTreeSet::new());
    while let Some(e) = work.pop() {
        if !live.edge(e) || !found.insert(e) {
            continue;
        }
        work.extend(users.get(&e).into_iter().flatten());
        match cfa.edges[e].op {
            Op::Assume { .. } => deciding.push(e),
            Op::Call(f) => {
                work.extend(of_function(f));
                deciding.extend(control.may_not_return(f).then_some(e));
            }
            _ => {}
        }
        while let Some(e) = deciding.pop() {
            for &l in controlled.get(&cfa.edges[e].from).into_iter().flatten() {
                let func = cfa.locs[l].func;
                work.extend(cfa.out(l));
                if l == cfa.funcs[func].exit && decided.insert(func) {
                    deciding.extend(calls(func).filter(|c| live.edge(*c)));
                }
            }
        }
    }
    found
}
