//! Dominators, reaching definitions and flow dependences by the CPA algorithm: the documents' examples, and the
//! definitions by paths on random programs.

use crate::support::documents::RUNNING;
use crate::support::patient;
use cfa::text::parse;
use cfa::{Cfa, EdgeId, FuncId, InputKind, LocId, Op, Scope, Sort, Span, VarId};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use verifier::oracle::dependence::FlowDependence;
use verifier::oracle::dependence::{self, ByLocation};
use verifier::program::Program;

fn program(text: &str) -> Program {
    Program::uncompacted(Arc::new(parse(text).expect("a program")))
}

fn solver() -> Box<dyn smt::Solver> {
    smt::standard(smt::Limits::default())
}

fn dominators(p: &Program) -> ByLocation<LocId> {
    dependence::dominators(p, &mut solver(), patient()).expect("an answer")
}

fn post_dominators(p: &Program, f: FuncId) -> ByLocation<LocId> {
    dependence::post_dominators(p, f, &mut solver(), patient()).expect("an answer")
}

fn flow_dependences(p: &Program) -> BTreeSet<FlowDependence> {
    dependence::flow_dependences(p, &mut solver(), patient()).expect("an answer")
}

/// One line for each location with its set.
fn show(sets: &ByLocation<LocId>) -> String {
    let line = |(l, set): (&LocId, &BTreeSet<LocId>)| {
        let set: Vec<String> = set.iter().map(LocId::to_string).collect();
        format!("{l}: {}", set.join(" ")).trim_end().to_string()
    };
    sets.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// One line for each dependence: the locations of the edge that uses, the variable, those of the edge that defines.
fn show_flow(p: &Program, all: &BTreeSet<FlowDependence>) -> String {
    let place = |e: EdgeId| format!("{}-{}", p.cfa.edges[e].from, p.cfa.edges[e].to);
    let line = |d: &FlowDependence| format!("{} uses {} of {}", place(d.on), p.cfa.vars[d.var].name, place(d.from));
    all.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// [Lemberger 2018, Fig. 19] (`l6` is the loop's location that the figure calls so): a loop that a branch enters at two places.
#[test]
fn dominators_of_figure_19() {
    let p = program(
        "cfa 1\npointer_bits 64\nentry main\nfunc main entry l0 exit l9\nin main\n\
         l0 -> l1: skip\nl1 -> l2: skip\nl1 -> l3: skip\nl2 -> l8: skip\nl3 -> l4: skip\nl3 -> l5: skip\n\
         l5 -> l6: skip\nl4 -> l7: skip\nl6 -> l7: skip\nl7 -> l8: skip\nl7 -> l6: skip\nl8 -> l9: skip\n",
    );
    let expected = "l0:\nl1: l0\nl2: l0 l1\nl3: l0 l1\nl4: l0 l1 l3\nl5: l0 l1 l3\nl6: l0 l1 l3\nl7: l0 l1 l3\nl8: l0 l1\nl9: l0 l1 l8";
    assert_eq!(show(&dominators(&p)), expected);
}

/// [Lemberger 2018, Fig. 9]: the call of the error function goes on to the exit there.
#[test]
fn post_dominators_of_the_running_example() {
    let p = program(&RUNNING.replace("  target l13", "  l13 -> l19: skip"));
    let expected = "l2: l3 l4 l5 l9 l12 l19\nl3: l4 l5 l9 l12 l19\nl4: l5 l9 l12 l19\nl5: l9 l12 l19\nl6: l5 l9 l12 l19\n\
                    l9: l12 l19\nl12: l19\nl13: l19\nl15: l18 l19\nl16: l15 l18 l19\nl18: l19\nl19:";
    assert_eq!(show(&post_dominators(&p, p.cfa.entry)), expected);
}

/// [Lemberger 2018, Fig. 10]: the second assignment is flow dependent on the first.
#[test]
fn flow_dependence_of_figure_10() {
    let p = program(
        "cfa 1\npointer_bits 64\nentry main\nfunc main entry l0 exit l2\nvar a bv32 of main\nvar b bv32 of main\nin main\n\
         l0 -> l1: a := 0:32\nl1 -> l2: b := (bvadd a 1:32)\n",
    );
    assert_eq!(show_flow(&p, &flow_dependences(&p)), "l1-l2 uses a of l0-l1");
}

/// [Lemberger 2018, Fig. 11]: the flow dependences in the graph of the running example.
#[test]
fn flow_dependences_of_the_running_example() {
    let expected = "l5-l6 uses x of l2-l3\nl5-l6 uses x of l6-l5\nl5-l9 uses x of l2-l3\nl5-l9 uses x of l6-l5\n\
                    l6-l5 uses x of l2-l3\nl6-l5 uses x of l6-l5\nl9-l12 uses w of l3-l4\nl12-l13 uses x of l2-l3\n\
                    l12-l13 uses x of l6-l5\nl12-l13 uses y of l4-l5\nl12-l15 uses x of l2-l3\nl12-l15 uses x of l6-l5\n\
                    l12-l15 uses y of l4-l5\nl15-l16 uses w of l9-l12\nl15-l16 uses y of l4-l5\nl15-l16 uses y of l16-l15\n\
                    l15-l18 uses w of l9-l12\nl15-l18 uses y of l4-l5\nl15-l18 uses y of l16-l15\nl16-l15 uses y of l4-l5\n\
                    l16-l15 uses y of l16-l15";
    let p = program(RUNNING);
    assert_eq!(show_flow(&p, &flow_dependences(&p)), expected);
}

/// Parameters are defined at the call, and each call returns to where it stands: `f` is called with 1 and with 2.
const TWO_CALLS: &str = "cfa 1\npointer_bits 64\nentry main\nfunc main entry l0 exit l1\nfunc f entry l2 exit l3 params (f.p) result f.r\n\
     var f.p bv32\nvar f.r bv32\nvar x bv32 of main\nvar y bv32 of main\nvar n bv32 of f\n\
     in main\nl0 -> l4: f.p := 1:32\nl4 -> l5: call f\nl5 -> l6: x := f.r\nl6 -> l7: f.p := 2:32\nl7 -> l8: call f\nl8 -> l1: y := f.r\n\
     in f\nl2 -> l9: n := f.p\nl9 -> l3: f.r := (bvadd n 1:32)\n";

#[test]
fn calls_define_parameters() {
    let p = program(TWO_CALLS);
    let expected = "l5-l6 uses f.r of l9-l3\nl8-l1 uses f.r of l9-l3\nl2-l9 uses f.p of l0-l4\nl2-l9 uses f.p of l6-l7\n\
                    l9-l3 uses n of l2-l9";
    assert_eq!(show_flow(&p, &flow_dependences(&p)), expected);
}

#[test]
fn backward_paths_go_through_calls() {
    let p = program(TWO_CALLS);
    let found = post_dominators(&p, p.cfa.entry);
    let of = |l: u32| -> Vec<u32> { found[&LocId(l)].iter().map(|m| m.0).collect() };
    assert_eq!(of(4), [1, 2, 3, 5, 6, 7, 8, 9]);
    assert_eq!(of(7), [1, 2, 3, 8, 9]);
    // After its first call, `f` is still to be called again; after its second one not.
    assert_eq!(of(9), [1, 3, 8]);
}

/// A random program: functions of a few locations, each of which calls later ones only, over two globals and two locals each.
fn random_program(choices: &[u16]) -> Cfa {
    let mut choices = choices.iter().copied();
    let mut below = |n: usize| choices.next().map_or(0, |c| usize::from(c) % n);
    let mut cfa = Cfa::new(64);
    let mut vars: Vec<VarId> = ["g", "h"].iter().map(|n| cfa.add_var(*n, Sort::Bv(8), Scope::Global)).collect();
    let funcs: Vec<FuncId> = (0..1 + below(3)).map(|i| cfa.add_func(format!("f{i}"), Span::default())).collect();
    cfa.entry = funcs[0];
    for (i, &f) in funcs.iter().enumerate() {
        vars.truncate(2);
        vars.extend(["x", "y"].map(|n| cfa.add_var(format!("f{i}.{n}"), Sort::Bv(8), Scope::Local(f))));
        let mut locs = vec![cfa.funcs[f].entry];
        locs.extend((0..1 + below(5)).map(|_| cfa.add_loc(f)));
        for l in locs.clone() {
            for _ in 0..1 + below(2) {
                let to =
                    locs.iter().copied().chain([cfa.funcs[f].exit]).nth(below(locs.len() + 1)).expect("a location");
                let (v, w) = (vars[below(4)], vars[below(4)]);
                let value = cfa.var_term(w);
                let op = match below(6) {
                    0 => Op::Skip,
                    1 => Op::Input { var: v, kind: InputKind::Uninitialised },
                    2 if i + 1 < funcs.len() => Op::Call(funcs[i + 1 + below(funcs.len() - i - 1)]),
                    3 => {
                        let cond = cfa.terms.nonzero(value);
                        Op::branch(cond)
                    }
                    _ => Op::assign(v, value),
                };
                cfa.add_edge(l, to, op, Span::default());
            }
        }
    }
    cfa
}

/// Where control may be: the location, and where the active calls return to.
type Place = (LocId, Vec<LocId>);

/// Steps from a place, each with the edge it takes unless it is a return.
fn steps(cfa: &Cfa, (l, stack): &Place) -> Vec<(Option<EdgeId>, Place)> {
    let mut found = Vec::new();
    for &e in cfa.out(*l) {
        let edge = &cfa.edges[e];
        match edge.op {
            Op::Call(f) => found.push((Some(e), (cfa.funcs[f].entry, [&stack[..], &[edge.to]].concat()))),
            _ => found.push((Some(e), (edge.to, stack.clone()))),
        }
    }
    if let Some((to, below)) = stack.split_last()
        && *l == cfa.funcs[cfa.locs[*l].func].exit
    {
        found.push((None, (*to, below.to_vec())));
    }
    found
}

/// All places that some path from `from` leads to, each step of which `follow` allows.
fn places(cfa: &Cfa, from: Place, follow: impl Fn(&Place, Option<EdgeId>, &Place) -> bool) -> BTreeSet<Place> {
    let (mut seen, mut stack) = (BTreeSet::new(), vec![from]);
    while let Some(at) = stack.pop() {
        if seen.insert(at.clone()) {
            let next = steps(cfa, &at).into_iter().filter(|(e, to)| follow(&at, *e, to));
            stack.extend(next.map(|(_, to)| to));
        }
    }
    seen
}

fn start(cfa: &Cfa) -> Place {
    (cfa.funcs[cfa.entry].entry, Vec::new())
}

/// `on` uses `var` of `from` if a path leads from one to the other that does not write the variable, in the same activation if
/// it is a local one.
fn flow_by_definition(cfa: &Cfa) -> BTreeSet<FlowDependence> {
    let mut found = BTreeSet::new();
    for at in places(cfa, start(cfa), |_, _, _| true) {
        for (e, to) in steps(cfa, &at) {
            let Some(from) = e else { continue };
            for var in cfa.edges[from].op.written() {
                let depth = to.1.len();
                let same = |p: &Place| !cfa.is_local(var) || p.1.len() == depth;
                let keeps = |p: &Place, e: Option<EdgeId>, next: &Place| {
                    let ends = cfa.is_local(var) && next.1.len() < depth;
                    !ends && !e.is_some_and(|e| same(p) && cfa.edges[e].op.written().contains(&var))
                };
                for p in places(cfa, to.clone(), keeps).iter().filter(|p| same(p)) {
                    for &on in cfa.out(p.0) {
                        let uses = cfa.edges[on].op.terms().into_iter().any(|t| cfa.terms.vars(t).contains(&var));
                        found.extend(uses.then_some(FlowDependence { on, var, from }));
                    }
                }
            }
        }
    }
    found
}

/// `m` dominates `l` if `l` is not reached without `m`.
fn dominators_by_definition(cfa: &Cfa) -> ByLocation<LocId> {
    let locations = |all: BTreeSet<Place>| -> BTreeSet<LocId> { all.into_iter().map(|p| p.0).collect() };
    let reached = locations(places(cfa, start(cfa), |_, _, _| true));
    let mut found: ByLocation<LocId> = reached.iter().map(|l| (*l, BTreeSet::new())).collect();
    for &m in &reached {
        let without = match start(cfa).0 == m {
            true => BTreeSet::new(),
            false => locations(places(cfa, start(cfa), |_, _, to| to.0 != m)),
        };
        for l in reached.iter().filter(|l| **l != m && !without.contains(l)) {
            found.get_mut(l).expect("reached").insert(m);
        }
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn as_by_definition_on_random_programs(choices in prop::collection::vec(any::<u16>(), 20..200)) {
        let cfa = Arc::new(random_program(&choices));
        let p = Program::uncompacted(cfa.clone());
        let flow = flow_dependences(&p);
        prop_assert_eq!(show_flow(&p, &flow), show_flow(&p, &flow_by_definition(&cfa)));
        prop_assert_eq!(show(&dominators(&p)), show(&dominators_by_definition(&cfa)));
    }

    /// The definitions that reach an edge give its flow dependences.
    #[test]
    fn reaching_definitions_give_flow_dependences(choices in prop::collection::vec(any::<u16>(), 20..200)) {
        let cfa = Arc::new(random_program(&choices));
        let p = Program::uncompacted(cfa.clone());
        let reaching = dependence::reaching_definitions(&p, &mut solver(), patient()).expect("an answer");
        let mut found = BTreeSet::new();
        for (l, definitions) in &reaching {
            for &on in cfa.out(*l) {
                let used: Vec<VarId> = cfa.edges[on].op.terms().into_iter().flat_map(|t| cfa.terms.vars(t)).collect();
                let uses = definitions.iter().filter(|d| used.contains(&d.0));
                found.extend(uses.map(|&(var, from)| FlowDependence { on, var, from }));
            }
        }
        prop_assert_eq!(found, flow_dependences(&p));
    }
}
