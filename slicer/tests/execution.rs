//! Slices by execution: with the same inputs, by edge and occurrence, the slice comes to the criterion as often as the program
//! does and finds the same values there, whichever way the branches go that it dropped.

use crate::common::assert_closed;
use crate::common::random::{BASE, Program, SIZE, cut, program};
use cfa::bv::Bv;
use cfa::bytes::Bytes;
use cfa::eval::Value;
use cfa::interpret::{End, InputSource, RunLimits, run};
use cfa::{AssumeKind, Cfa, EdgeId, Id, InputKind, LocId, Op, Sort, Span, Term};
use kerf_testing::Random;
use slicer::dependence::control_dep::ControlKind;
use slicer::{Criterion, SliceOptions, forward_slice, slice};

/// Inputs that depend on the edge and the occurrence only; those of edges that the program does not have are coins.
struct Inputs {
    seed: u64,
    edges: usize,
    coins: Random,
}

impl InputSource for Inputs {
    fn value(&mut self, edge: EdgeId, occurrence: u32, _: &InputKind, sort: Sort) -> Value {
        let width = sort.width();
        if edge.index() >= self.edges {
            return Value::Bv(Bv::new(width, self.coins.below(2) as u64));
        }
        let mut random = Random::new(self.seed ^ (edge.index() as u64) << 32 ^ u64::from(occurrence));
        random.below(2);
        Value::Bv(Bv::new(width, random.below(6) as u64))
    }
}

/// The values of `terms` each time that `at` is reached, and how the run ended.
fn observe(cfa: &Cfa, inputs: &mut Inputs, at: LocId, terms: &[Term], steps: u64) -> (Vec<Vec<Value>>, End) {
    let mut seen = Vec::new();
    let limits = RunLimits { steps, deadline: None };
    let found = run(cfa, inputs, limits, &mut |machine, e| {
        if cfa.edges[e].to == at && !matches!(cfa.edges[e].op, Op::Call(_)) {
            seen.push(terms.iter().map(|t| machine.eval(*t)).collect());
        }
    });
    (seen, found.end)
}

/// A variable of global scope, or one or two bytes of the memory, at a location: the criterion and a term for the value.
fn value_of_interest(p: &mut Program, at: LocId, random: &mut Random) -> (Criterion, Vec<Term>) {
    if random.below(2) == 0 {
        let v = random.pick(&p.globals);
        return (Criterion { vars: vec![v], ..Criterion::reach(at) }, vec![p.cfa.var_term(v)]);
    }
    let (first, count) = (BASE + random.below(SIZE as usize - 1) as u64, 1 + random.below(2) as u64);
    let bytes = Bytes::from(first, count).expect("bytes of the object");
    let address = p.cfa.terms.int(p.cfa.pointer_bits, first);
    let memory = p.cfa.var_term(p.memory);
    let value = p.cfa.terms.read(memory, address, 8 * count as u32);
    (Criterion { bytes: vec![(p.memory, bytes)], ..Criterion::reach(at) }, vec![value])
}

/// Puts guards before some assignments.
fn add_guards(cfa: &mut Cfa, random: &mut Random) {
    for e in cfa.edges.ids() {
        let Op::Assign(list) = &cfa.edges[e].op else { continue };
        let from = cfa.edges[e].from;
        let value = list.first().map(|(_, t)| *t).filter(|t| matches!(cfa.terms.sort(*t), Sort::Bv(_)));
        let Some(value) = value.filter(|_| cfa.out(from).len() == 1 && random.below(8) == 0) else { continue };
        let three = cfa.terms.int(cfa.terms.width(value), 3);
        let same = cfa.terms.eq(value, three);
        let cond = cfa.terms.not(same);
        let middle = cfa.add_loc(cfa.locs[from].func);
        cfa.locs[from].out.clear();
        cfa.locs[middle].out.push(e);
        cfa.edges[e].from = middle;
        cfa.add_edge(from, middle, Op::Assume { cond, kind: AssumeKind::Guard }, Span::default());
    }
}

/// Slices a random program for a location of it and compares runs.
fn check(seed: u64, options: &SliceOptions) -> Option<usize> {
    const STEPS: u64 = 300;
    let mut random = Random::new(seed);
    let mut p = program(&mut random);
    add_guards(&mut p.cfa, &mut random);
    let mut places = p.criteria.clone();
    places.extend(&p.cfa.targets);
    let at = random.pick(&places);
    let (criterion, terms) = value_of_interest(&mut p, at, &mut random);
    let sliced = slice(&p.cfa, &[criterion], options);
    assert_closed(&p.cfa, &sliced.slice);
    let cut = cut(&p.cfa, &sliced.slice);
    let mut reached = 0;
    for run in 0..3u64 {
        let inputs = || Inputs { seed: seed ^ run << 48, edges: p.cfa.edges.len(), coins: Random::new(seed + run) };
        let (wanted, end) = observe(&p.cfa, &mut inputs(), at, &terms, STEPS);
        let (got, cut_end) = observe(&cut, &mut inputs(), at, &terms, STEPS * 10);
        // Where the program does not end, the slice may do more; where the slice takes too long, it may do less.
        let n = wanted.len().min(got.len());
        assert_eq!(wanted[..n], got[..n], "seed {seed}");
        if cut_end != End::StepLimit {
            assert!(wanted.len() <= got.len(), "seed {seed}: {} of {} times", got.len(), wanted.len());
        }
        let passed = matches!(end, End::GuardFailed(_)) && !options.keep_traps;
        if end != End::StepLimit && cut_end != End::StepLimit && !passed {
            assert_eq!(wanted.len(), got.len(), "seed {seed}: {end:?} and {cut_end:?}");
        }
        reached += usize::from(!wanted.is_empty() && cut_end != End::StepLimit);
    }
    (reached > 0).then_some(sliced.stats.kept)
}

fn runs() -> u64 {
    kerf_testing::fuzz_runs(300)
}

#[test]
fn slices_compute_the_same() {
    let usual = SliceOptions::default();
    let variants = [
        usual,
        SliceOptions { context_sensitive: false, ..usual },
        SliceOptions { keep_traps: true, ..usual },
        SliceOptions { keep_traps: true, control: ControlKind::Ntscd, ..usual },
        SliceOptions { cutoff_diverging: false, ..usual },
        SliceOptions { control: ControlKind::NtscdDod, ..usual },
    ];
    let (mut compared, mut smaller) = (0, 0);
    for seed in 0..runs() {
        let kept: Vec<Option<usize>> = variants.iter().map(|o| check(seed, o)).collect();
        compared += usize::from(kept[0].is_some());
        if let (Some(with), Some(without)) = (kept[0], kept[1]) {
            assert!(with <= without, "seed {seed}");
            smaller += usize::from(with < without);
        }
    }
    // The programs are worth comparing.
    assert!(compared as u64 > runs() / 4 && smaller as u64 > runs() / 100, "{compared} compared, {smaller} smaller");
}

/// Inputs that differ at one edge only. Those of functions that are called do not depend on how often, which contexts do not tell apart.
struct Changed {
    inputs: Inputs,
    main: Vec<EdgeId>,
    at: Option<EdgeId>,
}

impl InputSource for Changed {
    fn value(&mut self, edge: EdgeId, occurrence: u32, kind: &InputKind, sort: Sort) -> Value {
        let occurrence = if self.main.contains(&edge) { occurrence } else { 0 };
        let mut inputs = Inputs { seed: self.inputs.seed, edges: self.inputs.edges, coins: self.inputs.coins.clone() };
        inputs.seed ^= if self.at == Some(edge) { 0x55 } else { 0 };
        inputs.value(edge, occurrence, kind, sort)
    }
}

/// What each edge does in a run: how often it is taken, and which scalars it sets each time. `None` if the run has no end.
fn deeds(cfa: &Cfa, inputs: &mut Changed) -> Option<Vec<Vec<Vec<Value>>>> {
    let mut done = vec![Vec::new(); cfa.edges.len()];
    let found = run(cfa, inputs, RunLimits { steps: 3_000, deadline: None }, &mut |machine, e| {
        let written = cfa.edges[e].op.written();
        let scalars = written.iter().filter(|v| !matches!(cfa.vars[**v].sort, Sort::Array { .. }));
        done[e.index()].push(scalars.filter_map(|v| machine.value(*v).cloned()).collect());
    });
    (found.end != End::StepLimit).then_some(done)
}

/// In two runs that come to an end, with inputs that differ at one edge, what is not in the forward slice of this edge does the same.
#[test]
fn what_forward_slices_leave_out_is_not_affected() {
    let (mut compared, mut differ) = (0, 0);
    for seed in 0..4 * runs() {
        let mut random = Random::new(seed);
        let cfa = program(&mut random).cfa;
        let main = |e: &EdgeId| cfa.locs[cfa.edges[*e].from].func == cfa.entry;
        let is_input = |e: &EdgeId| matches!(cfa.edges[*e].op, cfa::Op::Input { .. });
        let inputs: Vec<EdgeId> = cfa.edges.ids().filter(is_input).collect();
        if inputs.is_empty() {
            continue;
        }
        let changed = random.pick(&inputs);
        let criterion = Criterion::acts(&cfa, changed);
        let kept = forward_slice(&cfa, &[criterion], &SliceOptions::default()).expect("a small graph").slice.kept;
        for turn in 0..3u64 {
            let run = |at| {
                let inputs = Inputs { seed: seed ^ turn << 48, edges: cfa.edges.len(), coins: Random::new(seed) };
                deeds(&cfa, &mut Changed { inputs, main: cfa.edges.ids().filter(main).collect(), at })
            };
            let (Some(before), Some(after)) = (run(None), run(Some(changed))) else { continue };
            compared += 1;
            differ += usize::from(before != after);
            for e in cfa.edges.ids().filter(|e| !kept.contains(e.index())) {
                let same = before[e.index()] == after[e.index()];
                assert!(same, "seed {seed}: {changed} affects {e}\n{}", cfa::text::print(&cfa));
            }
        }
    }
    assert!(compared as u64 > runs() && differ as u64 > runs() / 2, "{compared} compared, {differ} differ");
}
