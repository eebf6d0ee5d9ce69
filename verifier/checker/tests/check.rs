//! Certificates that are right are accepted, and each way to be wrong is rejected.

mod support;

use cfa::view::Slice;
use cfa::{Id, LocId, Op, Unsupported};
use checker::{Certificate, Frame, Step};
use fixedbitset::FixedBitSet;
use support::*;

/// A slice that keeps all but `dropped`.
fn without(cfa: &cfa::Cfa, dropped: &[cfa::EdgeId]) -> Slice {
    let mut slice = whole(cfa);
    for e in dropped {
        slice.kept.set(e.index(), false);
    }
    slice
}

fn unwinding(s: &Sum) -> Certificate {
    Explorer::new(&s.cfa, &whole(&s.cfa)).unwinding(40)
}

fn values(s: &Sum) -> Certificate {
    Explorer::new(&s.cfa, &whole(&s.cfa)).values(1000).expect("few states")
}

fn invariants(s: &Sum) -> Certificate {
    Explorer::new(&s.cfa, &whole(&s.cfa)).invariants(100_000).expect("few states")
}

#[test]
fn all_kinds_of_certificates_are_accepted() {
    let s = sum(6);
    for (cert, labelled) in [(unwinding(&s), false), (values(&s), true), (invariants(&s), true)] {
        let checked = check(&s.cfa, &cert).expect("a proof");
        assert_eq!(checked.statistics.labelled, if labelled { cert.nodes.len() } else { 0 });
        assert_eq!(checked.statistics.nodes, cert.nodes.len());
    }
    // Constants need no solver.
    assert_eq!(check(&s.cfa, &values(&s)).expect("a proof").statistics.open, 0);
}

#[test]
fn slices_are_accepted() {
    let s = sum(6);
    let slice = without(&s.cfa, &[s.counts_other]);
    let cert = Explorer::new(&s.cfa, &slice).unwinding(40);
    assert!(cert.nodes.len() < unwinding(&s).nodes.len());
    check(&s.cfa, &cert).expect("a proof");
    check(&s.cfa, &Explorer::new(&s.cfa, &slice).values(1000).expect("few states")).expect("a proof");
}

#[test]
fn a_reachable_target_is_no_proof() {
    let s = sum(5);
    for cert in [unwinding(&s), values(&s), invariants(&s)] {
        assert!(rejected(&s.cfa, &cert).contains("is at a target that is reached"));
    }
    // Nor without the step into it.
    for mut cert in [unwinding(&s), values(&s), invariants(&s)] {
        for n in &mut cert.nodes {
            n.successors.retain(|x| x.step != Step::Edge(s.fails));
        }
        cert.nodes.retain(|n| !s.cfa.is_target(n.loc));
        assert!(rejected(&s.cfa, &cert).contains("which can be taken"));
    }
}

#[test]
fn every_successor_is_needed() {
    let s = sum(6);
    for cert in [unwinding(&s), values(&s), invariants(&s)] {
        for n in 0..cert.nodes.len() {
            for i in 0..cert.nodes[n].successors.len() {
                let mut mutant = cert.clone();
                mutant.nodes[n].successors.remove(i);
                assert!(rejected(&s.cfa, &mutant).contains("has no successor"));
            }
        }
    }
}

#[test]
fn every_constant_matters() {
    let s = sum(6);
    let cert = values(&s);
    for n in 0..cert.nodes.len() {
        for var in [s.sum, s.i] {
            let mut mutant = cert.clone();
            let label = mutant.nodes[n].label.as_mut().expect("a label");
            let values = if var == s.i { &mut label.env.locals } else { &mut label.env.globals };
            let Some(&t) = values.get(&var) else { continue };
            let w = mutant.terms.width(t);
            let value = mutant.terms.as_u64(t).expect("a constant");
            let wrong = mutant.terms.int(w, value + 1);
            values.insert(var, wrong);
            assert!(rejected(&s.cfa, &mutant).contains("outside the label"));
        }
    }
}

#[test]
fn labels_must_be_well_formed() {
    let mut s = sum(6);
    let other = s.cfa.var_term(s.other);
    let cert = values(&s);
    let last = cert.nodes.len() - 1;
    let mut over_variable = cert.clone();
    over_variable.nodes[last].label.as_mut().expect("a label").env.globals.insert(s.other, other);
    assert!(rejected(&s.cfa, &over_variable).contains("labels are over symbols"));
    let mut sort = cert.clone();
    let t = sort.terms.int(7, 1);
    sort.nodes[last].label.as_mut().expect("a label").env.globals.insert(s.other, t);
    assert!(rejected(&s.cfa, &sort).contains("does not have the sort"));
    let mut deep = cert;
    deep.nodes[last].label.as_mut().expect("a label").below.push(imbl::OrdMap::new());
    assert!(rejected(&s.cfa, &deep).contains("more frames"));
}

#[test]
fn the_root_holds_everything_at_the_start() {
    let s = sum(6);
    let mut cert = values(&s);
    let one = cert.terms.int(4, 1);
    cert.nodes[0].label.as_mut().expect("a label").env.globals.insert(s.sum, one);
    assert!(rejected(&s.cfa, &cert).contains("the label of the root"));
    let mut cert = values(&s);
    let no = cert.terms.ff();
    cert.nodes[0].label.as_mut().expect("a label").constraints.push(no);
    assert!(rejected(&s.cfa, &cert).contains("the label of the root"));
    let mut cert = unwinding(&s);
    cert.nodes[0].loc = cert.nodes[1].loc;
    assert!(rejected(&s.cfa, &cert).contains("not at the program's entry"));
    cert.nodes.clear();
    assert!(rejected(&s.cfa, &cert).contains("no node"));
}

#[test]
fn cycles_pass_through_labels() {
    let s = sum(6);
    let mut cert = values(&s);
    // Without labels the graph of the values is still acyclic, but for a program that loops for ever it is not.
    for n in &mut cert.nodes[1..] {
        n.label = None;
    }
    check(&s.cfa, &cert).expect("a proof");
    let at = cert.nodes.iter().position(|n| n.successors.len() == 1).expect("a node with one successor");
    let back = cert.nodes.iter().position(|n| n.loc == cert.nodes[cert.nodes[at].successors[0].to as usize].loc);
    let later = cert.nodes.len() - 1;
    let mut mutant = cert.clone();
    mutant.nodes[later] = cert.nodes[at].clone();
    mutant.nodes[later].successors[0].to = back.expect("a node there") as u32;
    assert!(rejected(&s.cfa, &mutant).contains("has no label and does not come after it"));
}

#[test]
fn control_must_go_where_the_view_goes() {
    let s = sum(6);
    for cert in [unwinding(&s), values(&s)] {
        for n in 0..cert.nodes.len() {
            let Some(first) = cert.nodes[n].successors.first() else { continue };
            for to in n + 1..cert.nodes.len() {
                let (a, b) = (&cert.nodes[first.to as usize], &cert.nodes[to]);
                if (a.loc, a.stack) != (b.loc, b.stack) {
                    let mut mutant = cert.clone();
                    mutant.nodes[n].successors[0].to = to as u32;
                    rejected(&s.cfa, &mutant);
                }
            }
        }
    }
}

#[test]
fn returns_go_to_the_caller() {
    let s = sum(6);
    let cert = unwinding(&s);
    let mut wrong = cert.clone();
    wrong.frames[0].return_to = cert.nodes[1].loc;
    assert!(rejected(&s.cfa, &wrong).contains("does not have the frame"));
    let mut endless = cert.clone();
    endless.frames[0].below = Some(0);
    assert!(rejected(&s.cfa, &endless).contains("is not before it"));
    let mut other = cert.clone();
    other.frames.push(Frame { return_to: cert.frames[0].return_to, below: Some(0) });
    let callee = other.nodes.iter().position(|n| n.stack.is_some()).expect("a call");
    other.nodes[callee].stack = Some(1);
    rejected(&s.cfa, &other);
}

#[test]
fn needed_edges_are_not_dropped() {
    let s = sum(6);
    let cert = Explorer::new(&s.cfa, &without(&s.cfa, &[s.adds])).unwinding(40);
    assert!(rejected(&s.cfa, &cert).contains("writes `sum`, which a kept edge reads"));
    // A dropped assumption is no reason by itself, but the target is reached then.
    let cert = Explorer::new(&s.cfa, &without(&s.cfa, &[s.fails])).unwinding(40);
    assert!(rejected(&s.cfa, &cert).contains("at a target"));
}

#[test]
fn live_edges_are_not_cut_off() {
    let s = sum(5);
    for e in s.cfa.edges.ids() {
        let mut slice = whole(&s.cfa);
        slice.live.set(e.index(), false);
        let accepted = check(&s.cfa, &Explorer::new(&s.cfa, &slice).unwinding(40)).is_ok();
        assert!(!accepted, "without {e}");
    }
    // What only leads to the exit may be cut off.
    let s = sum(6);
    let mut slice = whole(&s.cfa);
    let exit = s.cfa.funcs[s.cfa.entry].exit;
    slice.live.set(cfa::Cfa::into(&s.cfa, exit)[0].index(), false);
    check(&s.cfa, &Explorer::new(&s.cfa, &slice).unwinding(40)).expect("a proof");
    slice.live = FixedBitSet::with_capacity(3);
    let mut cert = unwinding(&s);
    cert.slice = slice;
    assert!(rejected(&s.cfa, &cert).contains("3 live edges"));
}

#[test]
fn constructs_without_a_model_are_refuted_or_irrelevant() {
    // Behind the loop, an unknown construct: before the exit it may still call anything.
    let unknown = |from_exit: bool, may_call: bool| {
        let mut s = sum(6);
        let main = s.cfa.entry;
        let exit = s.cfa.funcs[main].exit;
        let entry = s.cfa.funcs[main].entry;
        let last = s.cfa.add_loc(main);
        let op = Op::Unsupported(Box::new(Unsupported {
            may_call,
            may_not_return: false,
            writes: Some(Box::new([])),
            ..Unsupported::opaque("unknown")
        }));
        if from_exit {
            // The edge into the exit now leads to the construct.
            let into = cfa::Cfa::into(&s.cfa, exit)[0];
            s.cfa.edges[into].to = last;
            s.cfa.locs[exit].into.clear();
            s.cfa.locs[last].into.push(into);
            edge(&mut s.cfa, last, exit, op);
        } else {
            // Nothing leads to it.
            edge(&mut s.cfa, last, entry, op);
        }
        s
    };
    let s = unknown(true, false);
    assert!(rejected(&s.cfa, &unwinding(&s)).contains("which can be taken"));
    let mut cut = whole(&s.cfa);
    cut.live.set(s.cfa.edges.len() - 1, false);
    check(&s.cfa, &Explorer::new(&s.cfa, &cut).unwinding(40)).expect("a proof: no target is behind it");
    let s = unknown(true, true);
    assert!(rejected(&s.cfa, &Explorer::new(&s.cfa, &cut).unwinding(40)).contains("can reach a target"));
    let dropped = without(&s.cfa, &[cfa::EdgeId::from_index(s.cfa.edges.len() - 1)]);
    assert!(rejected(&s.cfa, &Explorer::new(&s.cfa, &dropped).unwinding(40)).contains("has no model"));
    let s = unknown(false, true);
    check(&s.cfa, &unwinding(&s)).expect("a proof");
}

#[test]
fn programs_must_be_valid() {
    let mut s = sum(6);
    let i = s.cfa.var_term(s.i);
    let zero = s.cfa.terms.int(2, 0);
    let cond = s.cfa.terms.eq(i, zero);
    let add = func(&s.cfa, "add");
    let (entry, exit) = (s.cfa.funcs[add].entry, s.cfa.funcs[add].exit);
    edge(&mut s.cfa, entry, exit, Op::branch(cond));
    assert!(rejected(&s.cfa, &unwinding(&s)).contains("a local of `main`"));
    let mut s = sum(6);
    edge(&mut s.cfa, entry, LocId(0), Op::Skip);
    let cert = unwinding(&sum(6));
    assert!(rejected(&s.cfa, &cert).contains("slice is about"));
    let cert = Certificate { slice: whole(&s.cfa), ..cert };
    assert!(rejected(&s.cfa, &cert).contains("leaves its function"));
}

#[test]
fn other_programs_terms_are_refused() {
    let s = sum(6);
    let mut cert = unwinding(&s);
    cert.terms = cfa::Terms::new();
    assert!(rejected(&s.cfa, &cert).contains("not over the program's"));
}
