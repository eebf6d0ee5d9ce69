//! The locations that concern a variable against a search over all locations.

use crate::common::random::program;
use cfa::{Cfa, EdgeId, FuncId, LocId, Op, Scope, VarId};
use kerf_testing::Random;
use slicer::dependence::data_dep::{Accesses, Writers};
use slicer::dependence::definitions::{Definitions, Places};
use slicer::dependence::mod_ref::ModRef;
use slicer::dependence::relevant::Live;
use std::collections::BTreeSet;

struct Program {
    cfa: Cfa,
    live: Live,
    accesses: Accesses,
    writers: Writers,
    side_effects: ModRef,
}

impl Program {
    fn random(seed: u64) -> Program {
        let cfa = program(&mut Random::new(seed)).cfa;
        let live = Live::reachable(&cfa);
        let accesses = Accesses::new(&cfa, &live);
        let (writers, side_effects) = (Writers::new(&cfa, &accesses), ModRef::new(&cfa, &live, &accesses));
        Program { cfa, live, accesses, writers, side_effects }
    }

    fn may_write(&self, e: EdgeId, var: VarId) -> bool {
        match self.cfa.edges[e].op {
            Op::Call(f) => self.side_effects.may_write(f, var),
            _ => self.accesses.writes(e).iter().any(|w| w.var == var),
        }
    }

    /// The edges from which a write of `var` may come to `at`, and whether the entry of the function does: by the locations that `look`
    /// names for each location.
    fn reaching(&self, at: LocId, var: VarId, look: &dyn Fn(LocId) -> LocId) -> (BTreeSet<EdgeId>, bool) {
        let cfa = &self.cfa;
        let entry = cfa.funcs[cfa.locs[at].func].entry;
        let (mut writes, mut from_entry) = (BTreeSet::new(), false);
        let (mut work, mut seen) = (vec![look(at)], BTreeSet::new());
        while let Some(l) = work.pop() {
            if !seen.insert(l) {
                continue;
            }
            from_entry |= l == entry;
            for &e in cfa.into(l).iter().filter(|e| self.live.edge(**e)) {
                match self.may_write(e, var) {
                    true => _ = writes.insert(e),
                    false => work.push(look(cfa.edges[e].from)),
                }
            }
        }
        (writes, from_entry)
    }
}

#[test]
fn same_definitions_as_by_a_search_over_all_locations() {
    let (mut skipped, mut several) = (0, 0);
    for seed in 0..kerf_testing::fuzz_runs(100) {
        let p = Program::random(seed);
        let mut definitions = Definitions::new(&p.cfa, &p.live, &p.side_effects);
        for (var, variable) in p.cfa.vars.iter_enumerated() {
            for f in p.cfa.funcs.ids().filter(|f| variable.scope == Scope::Global || variable.scope == Scope::Local(*f))
            {
                let places = definitions.places(&p.cfa, &p.live, (&p.writers, &p.side_effects), (var, f));
                let locs = p.cfa.locs.iter_enumerated().filter(|(l, loc)| loc.func == f && p.live.loc(*l));
                for (at, _) in locs {
                    let look = |l: LocId| place(&definitions, &places, (l, f));
                    let found = p.reaching(at, var, &look);
                    assert_eq!(found, p.reaching(at, var, &|l| l), "seed {seed}: {var:?} at {at:?}");
                    skipped += usize::from(look(at) != at);
                    several += usize::from(found.0.len() > 1);
                }
            }
        }
    }
    assert!(skipped > 1000 && several > 1000, "{skipped} {several}");
}

fn place(definitions: &Definitions, places: &Places, (l, f): (LocId, FuncId)) -> LocId {
    let place = definitions.nearest(places, definitions.number(l)).expect("the entry reaches it");
    definitions.loc(f, places.number(place))
}
