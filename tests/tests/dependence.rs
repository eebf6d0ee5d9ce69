//! The slicer's dependence analyses against the CPAs that define them (S 3.1), on the task programs and on random graphs.

use cfa::bv::Bv;
use cfa::eval::{Value, eval, eval_bool};
use cfa::term::Leaf;
use cfa::text::print;
use cfa::view::Slice;
use cfa::{Cfa, EdgeId, FuncId, Id, InputKind, LocId, Op, Scope, Sort, Span, VarId};
use frontend_llvm::{LoadOptions, load};
use kerf_tests::random::Random;
use slicer::control_dep::{ControlDependence, ControlKind, DecidedOrders};
use slicer::liveness::Live;
use slicer::post_dominators::{Digraph, immediate_dominators};
use slicer::{Criterion, PrepareOptions, SliceOptions, prepare, slice};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use verifier::dependence::{ByLocation, flow_dependences, post_dominators, reaching_definitions};
use verifier::program::{Budget, Program};

/// Largest function that the analysis, which is quadratic, is run on.
const MAX_LOCATIONS: usize = 200;

fn budget() -> Budget {
    Budget { deadline: Instant::now() + Duration::from_secs(60) }
}

/// One function without its operations. What has no successor, and endless loops, lead to the exit.
fn skeleton(cfa: &Cfa, f: FuncId) -> Cfa {
    let mut one = Cfa::new(64);
    let g = one.add_func("f", Span::default());
    one.entry = g;
    let mut of = vec![None; cfa.locs.len()];
    of[cfa.funcs[f].entry.index()] = Some(one.funcs[g].entry);
    of[cfa.funcs[f].exit.index()] = Some(one.funcs[g].exit);
    for (l, loc) in cfa.locs.iter_enumerated().filter(|(_, loc)| loc.func == f) {
        let from = *of[l.index()].get_or_insert_with(|| one.add_loc(g));
        for e in &loc.out {
            let to = *of[cfa.edges[*e].to.index()].get_or_insert_with(|| one.add_loc(g));
            one.add_edge(from, to, Op::Skip, Span::default());
        }
    }
    lead_to_exit(&mut one);
    one
}

/// Adds edges to the exit until all locations of the only function lead there.
fn lead_to_exit(cfa: &mut Cfa) {
    let exit = cfa.funcs[cfa.entry].exit;
    let mut stack = vec![exit];
    let mut leads = vec![false; cfa.locs.len()];
    loop {
        while let Some(l) = stack.pop() {
            if !std::mem::replace(&mut leads[l.index()], true) {
                stack.extend(cfa.locs[l].into.iter().map(|e| cfa.edges[*e].from));
            }
        }
        let others = |l: &LocId| !leads[l.index()];
        let sinks = cfa.locs.ids().filter(others).find(|l| cfa.out(*l).is_empty());
        let Some(l) = sinks.or_else(|| cfa.locs.ids().find(others)) else { return };
        cfa.add_edge(l, exit, Op::Skip, Span::default());
        stack.push(l);
    }
}

/// Post-dominators of the only function of `cfa`, from the tree of the immediate ones.
fn by_tree(cfa: &Cfa) -> ByLocation<LocId> {
    let edges: Vec<(u32, u32)> = cfa.edges.iter().map(|e| (e.to.0, e.from.0)).collect();
    let tree = immediate_dominators(&Digraph::new(cfa.locs.len(), &edges), cfa.funcs[cfa.entry].exit.0);
    let above = |l: LocId| -> BTreeSet<LocId> {
        std::iter::successors(tree[l.index()], |v| tree[*v as usize]).map(LocId).collect()
    };
    cfa.locs.ids().map(|l| (l, above(l))).collect()
}

/// The tree and the analysis give the same post-dominators.
fn check_post_dominators(cfa: Cfa, what: &str) {
    let expected = by_tree(&cfa);
    let program = Program::uncompacted(Arc::new(cfa));
    let mut solver = smt::standard(smt::Limits::default()).expect("a solver");
    let found = post_dominators(&program, program.cfa.entry, &mut solver, budget()).expect("an answer");
    assert!(found == expected, "{what}: by the analysis {found:?}, by the tree {expected:?}");
}

/// The automata of the task programs, ready to be sliced.
fn task_programs() -> impl Iterator<Item = (PathBuf, Cfa)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("programs");
    let entries = std::fs::read_dir(folder).expect("the folder of task programs");
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("an entry").path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "c"));
    files.sort();
    files.into_iter().map(|file| {
        let loaded = load(std::slice::from_ref(&file), &LoadOptions::default()).expect("task programs load");
        let (cfa, _) = prepare(loaded.cfa, &PrepareOptions::default()).expect("task programs can be prepared");
        (file, cfa)
    })
}

#[test]
fn post_dominators_of_task_programs() {
    let mut checked = 0;
    for (file, cfa) in task_programs().step_by(8) {
        let mut size = vec![0; cfa.funcs.len()];
        cfa.locs.iter().for_each(|l| size[l.func.index()] += 1);
        for (f, func) in cfa.funcs.iter_enumerated() {
            if size[f.index()] <= MAX_LOCATIONS {
                check_post_dominators(skeleton(&cfa, f), &format!("{} of {}", func.name, file.display()));
                checked += 1;
            }
        }
    }
    assert!(checked >= 50, "only {checked} functions are small enough");
}

#[test]
fn post_dominators_of_random_graphs() {
    for seed in 0..2_000 {
        let mut random = Random::new(seed);
        let mut cfa = Cfa::new(64);
        let f = cfa.add_func("f", Span::default());
        cfa.entry = f;
        for _ in 0..random.below(20) {
            cfa.add_loc(f);
        }
        let (n, exit) = (cfa.locs.len(), cfa.funcs[f].exit);
        for l in cfa.locs.ids().filter(|l| *l != exit) {
            for _ in 0..random.below(3) {
                cfa.add_edge(l, LocId::from_index(random.below(n)), Op::Skip, Span::default());
            }
        }
        lead_to_exit(&mut cfa);
        check_post_dominators(cfa, &format!("seed {seed}"));
    }
}

/// A random program over scalars: each location has one operation or both sides of a test; functions call later ones.
fn random_program(random: &mut Random, functions: usize) -> Cfa {
    let mut cfa = Cfa::new(64);
    let sort = Sort::Bv(8);
    let globals = ["g", "h"].map(|n| cfa.add_var(n, sort, Scope::Global));
    let funcs: Vec<FuncId> = (0..functions).map(|i| cfa.add_func(format!("f{i}"), Span::default())).collect();
    cfa.entry = funcs[0];
    for (i, &f) in funcs.iter().enumerate() {
        let locals = ["x", "y", "z"].map(|n| cfa.add_var(format!("f{i}.{n}"), sort, Scope::Local(f)));
        let vars = [&globals[..], &locals[..]].concat();
        let mut locs = vec![cfa.funcs[f].entry];
        locs.extend((0..3 + random.below(8)).map(|_| cfa.add_loc(f)));
        let exit = cfa.funcs[f].exit;
        for (k, &l) in locs.iter().enumerate() {
            let next = *locs.get(k + 1).unwrap_or(&exit);
            let (v, w) = (*random.pick(&vars), *random.pick(&vars));
            let value = cfa.var_term(w);
            match random.below(8) {
                0..=2 => {
                    let jump = if random.one_in(8) { exit } else { *random.pick(&locs) };
                    let yes = cfa.terms.nonzero(value);
                    let no = cfa.terms.not(yes);
                    cfa.add_edge(l, next, Op::branch(yes), Span::default());
                    cfa.add_edge(l, jump, Op::branch(no), Span::default());
                }
                3 => {
                    cfa.add_edge(
                        l,
                        next,
                        Op::Input { var: v, kind: InputKind::Program("input".into()) },
                        Span::default(),
                    );
                }
                4 | 5 if i + 1 < functions => {
                    let callee = funcs[i + 1 + random.below(functions - i - 1)];
                    cfa.add_edge(l, next, Op::Call(callee), Span::default());
                }
                6 => {
                    let one = cfa.terms.int(8, 1);
                    cfa.add_edge(l, next, Op::assign(v, one), Span::default());
                }
                _ => {
                    let sum = cfa.terms.add_int(value, 1);
                    cfa.add_edge(l, next, Op::assign(v, sum), Span::default());
                }
            }
        }
    }
    cfa
}

/// What a slice for `criterion` has to keep, by flow dependences that the analysis finds and the slicer's control dependences. A
/// function is called everywhere if anything in it matters.
struct Closure<'a> {
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
    fn of(cfa: &'a Arc<Cfa>, criterion: &Criterion, kind: ControlKind, single_writers: bool) -> BTreeSet<EdgeId> {
        let program = Program::uncompacted(cfa.clone());
        let mut solver = smt::standard(smt::Limits::default()).expect("a solver");
        let mut flow: BTreeMap<EdgeId, BTreeSet<(VarId, EdgeId)>> = BTreeMap::new();
        for d in flow_dependences(&program, &mut solver, budget()).expect("an answer") {
            flow.entry(d.on).or_default().insert((d.var, d.from));
        }
        let reaching = reaching_definitions(&program, &mut solver, budget()).expect("an answer");
        let control = ControlDependence::new(cfa, &Live::reachable(cfa), &[criterion.at], kind);
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

/// A random place that can be reached, and some variables there.
fn random_criterion(random: &mut Random, cfa: &Cfa) -> Criterion {
    let live = Live::reachable(cfa);
    let locs: Vec<LocId> = cfa.locs.ids().filter(|l| live.loc(*l)).collect();
    let at = *random.pick(&locs);
    let here = Scope::Local(cfa.locs[at].func);
    let vars = cfa.vars.iter_enumerated().filter(|(_, v)| v.scope == here || v.scope == Scope::Global);
    Criterion { vars: vars.map(|(v, _)| v).filter(|_| random.one_in(3)).collect(), ..Criterion::reach(at) }
}

fn kept(cfa: &Cfa, criterion: &Criterion, options: SliceOptions) -> (BTreeSet<EdgeId>, Slice) {
    let slice = slice(cfa, std::slice::from_ref(criterion), &options).slice;
    (slice.kept.ones().map(EdgeId::from_index).collect(), slice)
}

const KINDS: [ControlKind; 3] = [ControlKind::Standard, ControlKind::Ntscd, ControlKind::NtscdDod];

/// Within one function, slices are exactly what flow dependences make of them.
#[test]
fn data_dependence_within_a_function() {
    for seed in 0..1_500 {
        let mut random = Random::new(seed);
        let cfa = Arc::new(random_program(&mut random, 1));
        let criterion = random_criterion(&mut random, &cfa);
        for control in KINDS {
            let options = SliceOptions { control, cutoff_diverging: false, ..SliceOptions::default() };
            let (kept, _) = kept(&cfa, &criterion, options);
            let least = Closure::of(&cfa, &criterion, control, false);
            let most = Closure::of(&cfa, &criterion, control, true);
            let what = || format!("seed {seed}, {control:?}, {criterion:?}\n{}", print(&cfa));
            assert!(least.is_subset(&kept), "{:?} is missing: {}", &least - &kept, what());
            assert!(kept.is_subset(&most), "{:?} is too much: {}", &kept - &most, what());
        }
    }
}

/// Through calls: a slice that calls functions everywhere has all dependences, and one that does not is closed, its calls left out.
#[test]
fn data_dependence_through_calls() {
    for seed in 0..500 {
        let mut random = Random::new(seed);
        let cfa = Arc::new(random_program(&mut random, 3));
        let criterion = random_criterion(&mut random, &cfa);
        for control in KINDS {
            let what = || format!("seed {seed}, {control:?}, {criterion:?}\n{}", print(&cfa));
            for cutoff_diverging in [false, true] {
                let options = SliceOptions { control, cutoff_diverging, context_sensitive: false };
                let (everywhere, _) = kept(&cfa, &criterion, options);
                if !cutoff_diverging {
                    let least = Closure::of(&cfa, &criterion, control, false);
                    assert!(least.is_subset(&everywhere), "{:?} is missing: {}", &least - &everywhere, what());
                }
                let (kept, slice) = kept(&cfa, &criterion, SliceOptions { context_sensitive: true, ..options });
                assert!(kept.is_subset(&everywhere), "{:?} is too much: {}", &kept - &everywhere, what());
                let program = Program::uncompacted(Arc::new(without_dropped_calls(&cfa, &slice)));
                let mut solver = smt::standard(smt::Limits::default()).expect("a solver");
                for d in flow_dependences(&program, &mut solver, budget()).expect("an answer") {
                    let closed = !kept.contains(&d.on) || kept.contains(&d.from);
                    assert!(closed, "{} uses what {} defines, which is dropped: {}", d.on, d.from, what());
                }
            }
        }
    }
}

/// The live part of the program; calls that are not kept do nothing.
fn without_dropped_calls(cfa: &Cfa, slice: &Slice) -> Cfa {
    let mut cut = cfa.clone();
    for e in cfa.edges.ids() {
        if !slice.live.contains(e.index()) {
            cut.locs[cfa.edges[e].from].out.retain(|x| *x != e);
            cut.locs[cfa.edges[e].to].into.retain(|x| *x != e);
        } else if matches!(cfa.edges[e].op, Op::Call(_)) && !slice.kept.contains(e.index()) {
            cut.edges[e].op = Op::Skip;
        }
    }
    cut
}

/// The values of the criterion's variables at each visit of its place, in a run of at most `steps` steps; whether the run ended.
///
/// What is not kept in `slice` does nothing; where it was a test, the run goes on at random.
fn visits(
    cfa: &Cfa,
    slice: Option<&Slice>,
    criterion: &Criterion,
    seed: u64,
    steps: usize,
) -> (Vec<Vec<Option<Value>>>, bool) {
    let mut choices = Random::new(seed);
    let acts = |e: EdgeId| slice.is_none_or(|s| s.kept.contains(e.index()));
    let (mut at, mut stack) = (cfa.funcs[cfa.entry].entry, Vec::new());
    let zeros = |f: FuncId| cfa.vars.iter_enumerated().filter(move |(_, v)| v.scope == Scope::Local(f)).map(|(v, _)| v);
    let zero = Value::Bv(Bv::new(8, 0));
    let globals = cfa.vars.iter_enumerated().filter(|(_, v)| v.scope == Scope::Global).map(|(v, _)| v);
    let mut values: BTreeMap<VarId, Value> = globals.chain(zeros(cfa.entry)).map(|v| (v, zero.clone())).collect();
    let mut occurrences: BTreeMap<EdgeId, u64> = BTreeMap::new();
    let mut found = Vec::new();
    for _ in 0..steps {
        if at == criterion.at {
            found.push(criterion.vars.iter().map(|v| values.get(v).cloned()).collect());
        }
        let leaf = |values: &BTreeMap<VarId, Value>, l: Leaf| match l {
            Leaf::Var(v) => values.get(&v).cloned(),
            _ => None,
        };
        let holds = |e: &EdgeId| match &cfa.edges[*e].op {
            Op::Assume { cond, .. } if acts(*e) => {
                eval_bool(&cfa.terms, *cond, &mut |l| leaf(&values, l)).expect("all variables have values")
            }
            _ => true,
        };
        let live = |e: &EdgeId| slice.is_none_or(|s| s.live.contains(e.index()));
        let ways: Vec<EdgeId> = cfa.out(at).iter().copied().filter(live).filter(holds).collect();
        if ways.is_empty() {
            // A way that is cut off ends the run, an exit the activation.
            let returns = at == cfa.funcs[cfa.locs[at].func].exit;
            let Some((back, locals)) = stack.pop().filter(|_| returns) else { return (found, true) };
            values.retain(|v, _| !cfa.is_local(*v));
            values.extend::<BTreeMap<VarId, Value>>(locals);
            at = back;
            continue;
        }
        let e = *choices.pick(&ways);
        at = cfa.edges[e].to;
        match &cfa.edges[e].op {
            Op::Assign(list) if acts(e) => {
                for (v, t) in list.iter() {
                    let value = eval(&cfa.terms, *t, &mut |l| leaf(&values, l)).expect("all variables have values");
                    values.insert(*v, value);
                }
            }
            Op::Input { var, .. } if acts(e) => {
                let n = occurrences.entry(e).or_default();
                *n += 1;
                // Mostly small, so that tests go both ways.
                let value = Random::new(seed ^ (u64::from(e.0) << 32) ^ *n).below(3);
                values.insert(*var, Value::Bv(Bv::new(8, value as u64)));
            }
            Op::Call(f) if acts(e) => {
                let locals = values.iter().filter(|(v, _)| cfa.is_local(**v)).map(|(v, x)| (*v, x.clone())).collect();
                stack.push((at, locals));
                values.retain(|v, _| !cfa.is_local(*v));
                values.extend(zeros(*f).map(|v| (v, zero.clone())));
                at = cfa.funcs[*f].entry;
            }
            _ => {}
        }
    }
    (found, false)
}

/// Slices of the strongest kind come to the criterion as often as the program, with the same values; those of the standard kind
/// do where the program ends, unless they go round in a loop that was cut out.
#[test]
fn slices_come_to_the_criterion() {
    let (mut endless, mut reached) = (0, 0);
    for seed in 0..2_000 {
        let mut random = Random::new(seed);
        let cfa = random_program(&mut random, 1 + seed as usize % 3);
        let criterion = random_criterion(&mut random, &cfa);
        let (program, ends) = visits(&cfa, None, &criterion, seed, 20_000);
        endless += usize::from(!ends);
        reached += usize::from(!program.is_empty());
        for (control, cutoff_diverging) in KINDS.into_iter().flat_map(|k| [(k, false), (k, true)]) {
            let options = SliceOptions { control, cutoff_diverging, context_sensitive: true };
            let (_, slice) = kept(&cfa, &criterion, options);
            let (found, _) = visits(&cfa, Some(&slice), &criterion, seed, if ends { 20_000 } else { 300 });
            let what = || format!("seed {seed}, {options:?}, {criterion:?}\n{}", print(&cfa));
            if ends || control != ControlKind::Standard {
                assert!(program.starts_with(&found), "{found:?} instead of {program:?}: {}", what());
            }
            if ends && control == ControlKind::NtscdDod {
                assert!(found.len() == program.len(), "{found:?} instead of {program:?}: {}", what());
            }
        }
    }
    assert!(endless > 200 && reached > 200, "{endless} runs without an end, {reached} that came to the criterion");
}
