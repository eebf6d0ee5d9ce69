//! Slices by execution: with the same inputs, by edge and occurrence, the slice comes to the criterion as often as the program
//! does and finds the same values there, whichever way the branches go that it dropped.

mod common;

use cfa::bv::Bv;
use cfa::eval::Value;
use cfa::interpret::{End, InputSource, RunLimits, run};
use cfa::{Cfa, EdgeId, Id, InputKind, LocId, Sort, VarId};
use common::assert_closed;
use common::random::{Random, cut, program};
use slicer::control_dep::ControlKind;
use slicer::{Criterion, SliceOptions, slice};

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

/// The values of `vars` each time that `at` is reached, and how the run ended.
fn observe(cfa: &Cfa, inputs: &mut Inputs, at: LocId, vars: &[VarId], steps: u64) -> (Vec<Vec<Value>>, End) {
    let mut seen = Vec::new();
    let limits = RunLimits { steps, deadline: None };
    let found = run(cfa, inputs, limits, &mut |machine, e| {
        if cfa.edges[e].to == at && !matches!(cfa.edges[e].op, cfa::Op::Call(_)) {
            seen.push(
                vars.iter()
                    .map(|v| machine.value(*v).cloned().unwrap_or_else(|| Value::zero(cfa.vars[*v].sort)))
                    .collect(),
            );
        }
    });
    (seen, found.end)
}

/// Slices a random program for a location of it and compares runs.
fn check(seed: u64, options: &SliceOptions) -> Option<usize> {
    const STEPS: u64 = 300;
    let mut random = Random::new(seed);
    let p = program(&mut random);
    let mut places = p.criteria.clone();
    places.extend(&p.cfa.targets);
    let at = random.pick(&places);
    let vars = vec![random.pick(&p.globals)];
    let criterion = Criterion { at, edges: Vec::new(), vars: vars.clone() };
    let sliced = slice(&p.cfa, &[criterion], options);
    assert_closed(&p.cfa, &sliced.slice);
    let cut = cut(&p.cfa, &sliced.slice);
    let mut reached = 0;
    for run in 0..3u64 {
        let inputs = || Inputs { seed: seed ^ run << 48, edges: p.cfa.edges.len(), coins: Random::new(seed + run) };
        let (wanted, end) = observe(&p.cfa, &mut inputs(), at, &vars, STEPS);
        let (got, cut_end) = observe(&cut, &mut inputs(), at, &vars, STEPS * 10);
        // Where the program does not end, the slice may do more; where the slice takes too long, it may do less.
        let n = wanted.len().min(got.len());
        assert_eq!(wanted[..n], got[..n], "seed {seed}");
        if cut_end != End::StepLimit {
            assert!(wanted.len() <= got.len(), "seed {seed}: {} of {} times", got.len(), wanted.len());
        }
        if end != End::StepLimit && cut_end != End::StepLimit {
            assert_eq!(wanted.len(), got.len(), "seed {seed}: {end:?} and {cut_end:?}");
        }
        reached += usize::from(!wanted.is_empty() && cut_end != End::StepLimit);
    }
    (reached > 0).then_some(sliced.stats.kept)
}

fn runs() -> u64 {
    std::env::var("KERF_FUZZ_RUNS").ok().and_then(|n| n.parse().ok()).unwrap_or(300)
}

#[test]
fn slices_compute_the_same() {
    let usual = SliceOptions::default();
    let variants = [
        usual,
        SliceOptions { context_sensitive: false, ..usual },
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
