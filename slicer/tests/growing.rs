//! The laws of slices that grow, on random programs: what is added is kept, slices only grow, and neither order nor repetition matter.

use crate::common::random::program;
use cfa::view::Slice;
use cfa::{Cfa, EdgeId};
use kerf_testing::Random;
use slicer::dependence::control_dep::{ControlDependence, ControlOptions};
use slicer::dependence::relevant::Live;
use slicer::{Criterion, GrowingSlice, SliceOptions, slice};

/// The slices after each of `additions`.
fn grow(cfa: &Cfa, live: &Live, control: &ControlDependence, additions: &[&[EdgeId]]) -> Vec<Slice> {
    let mut growing = GrowingSlice::new(cfa, live, control, &SliceOptions::default());
    let mut all = vec![growing.slice()];
    for edges in additions {
        growing.add(edges);
        assert!(edges.iter().all(|e| growing.keeps(*e) == live.edge(*e)), "what is added is kept");
        all.push(growing.slice());
    }
    all
}

#[test]
fn slices_grow_to_one_for_all_criteria() {
    let (mut grown, mut smaller) = (0, 0);
    for seed in 0..300 {
        let mut random = Random::new(seed);
        let p = program(&mut random);
        let cfa = &p.cfa;
        if cfa.targets.is_empty() {
            continue;
        }
        let live = Live::new(cfa, &cfa.targets);
        let control = ControlDependence::new(cfa, &live, &cfa.targets, ControlOptions::default());
        let edges: Vec<EdgeId> = cfa.edges.ids().collect();
        let mut some = || (0..1 + random.below(3)).map(|_| random.pick(&edges)).collect::<Vec<EdgeId>>();
        let (a, b) = (some(), some());
        let both = [&a[..], &b[..]].concat();
        let slices = grow(cfa, &live, &control, &[&a, &b, &a]);
        for pair in slices.windows(2) {
            assert!(pair[0].kept.is_subset(&pair[1].kept) && pair[0].live == pair[1].live, "seed {seed}");
            assert!(pair[1].kept.is_subset(&pair[1].live), "seed {seed}: what acts is live");
        }
        assert_eq!(slices[2], slices[3], "seed {seed}: what is known is not added again");
        assert_eq!(Some(&slices[2]), grow(cfa, &live, &control, &[&b, &a]).last(), "seed {seed}: in another order");
        assert_eq!(Some(&slices[2]), grow(cfa, &live, &control, &[&both]).last(), "seed {seed}: at once");
        // With all edges into targets, those beside them and the calls that lead there, it has what decides whether targets are reached.
        let into = cfa.targets.iter().flat_map(|t| cfa.locs[*t].into.to_vec());
        let beside = into.flat_map(|e| cfa.out(cfa.edges[e].from).to_vec());
        let calls = slices[0].kept.ones().map(|e| EdgeId(e as u32));
        let decisive: Vec<EdgeId> = beside.chain(calls).collect();
        let reaching: Vec<Criterion> = cfa.targets.iter().map(|t| Criterion::reach(*t)).collect();
        let whole = slice(cfa, &reaching, &SliceOptions::default()).slice;
        let last = grow(cfa, &live, &control, &[&both, &decisive]).pop().expect("a slice");
        assert!(whole.kept.is_subset(&last.kept), "seed {seed}");
        assert_eq!(whole.live, last.live, "seed {seed}");
        grown += usize::from(slices[0].kept != slices[2].kept);
        smaller += usize::from(slices[2].kept.count_ones(..) < whole.kept.count_ones(..));
    }
    assert!(grown > 50 && smaller > 20, "{grown} grown, {smaller} smaller than the slice for the targets");
}
