//! Certificates that are right are accepted, and each way to be wrong is rejected.

use crate::support::*;
use cfa::view::Slice;
use cfa::{Id, LocId, Op, Unsupported};
use checker::{Certificate, Frame, Observer, Refuted, Step};
use fixedbitset::FixedBitSet;

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

fn loops(s: &Sum) -> Certificate {
    Explorer::new(&s.cfa, &whole(&s.cfa)).loops(100_000).expect("few states")
}

fn invariants(s: &Sum) -> Certificate {
    Explorer::new(&s.cfa, &whole(&s.cfa)).invariants(100_000).expect("few states")
}

#[test]
fn all_kinds_of_certificates_are_accepted() {
    let s = sum(6);
    for (cert, labelled) in [(unwinding(&s), false), (loops(&s), false), (values(&s), true), (invariants(&s), true)] {
        let checked = check(&s.cfa, &cert).expect("a proof");
        assert_eq!(checked.statistics.labelled, if labelled { cert.nodes.len() } else { 0 });
        assert_eq!(checked.statistics.nodes, cert.nodes.len());
    }
    // Constants need no solver.
    assert_eq!(check(&s.cfa, &values(&s)).expect("a proof").statistics.open, 0);
}

/// Asks Z3 each query again that it is told.
#[derive(Default)]
struct Again {
    faults: Vec<String>,
    queries: usize,
}

impl Observer for Again {
    fn refuted(&mut self, query: &Refuted<'_>) {
        let mut z3 = smt::Z3::new(smt::Limits::default()).expect("Z3");
        let answer = smt::Solver::check(&mut z3, query.terms, &[query.condition]);
        assert_eq!(answer, Ok(smt::Answer::Unsat));
        self.queries += 1;
        self.faults.extend(query.faults());
    }
}

#[test]
fn an_observer_is_told_each_query_and_what_it_is_about() {
    let (good, bad) = (sum(6), sum(5));
    let mut all = Vec::new();
    for cert in [unwinding(&good), loops(&good), invariants(&good)] {
        let mut told = Again::default();
        let mut solver = smt::standard(smt::Limits::default());
        let checked = checker::check_observed(&good.cfa, &cert, &mut *solver, None, &mut told).expect("a proof");
        assert_eq!((told.faults.len(), told.queries), (checked.statistics.open, checked.statistics.queries));
        all.extend(told.faults);
    }
    for words in ["has no successor for edge", "closes the loop at node", "leads outside the label of node"] {
        assert!(all.iter().any(|fault| fault.contains(words)), "{words}: {all:?}");
    }
    // What is satisfiable is not told: the observer would have noticed.
    let mut solver = smt::standard(smt::Limits::default());
    let wrong = checker::check_observed(&bad.cfa, &unwinding(&bad), &mut *solver, None, &mut Again::default());
    assert!(wrong.is_err());
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
        let no = cert.terms.ff();
        for n in &mut cert.nodes {
            n.successors.retain(|x| x.step != Step::Edge(s.fails));
            if let (true, Some(label)) = (s.cfa.is_target(n.loc), &mut n.label) {
                label.constraints = vec![no];
            }
        }
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
    for n in &mut cert.nodes[1..] {
        n.label = None;
    }
    check(&s.cfa, &cert).expect("a proof");
    let mut mutants = 0;
    for n in 0..cert.nodes.len() {
        for i in 0..cert.nodes[n].successors.len() {
            let to = &cert.nodes[cert.nodes[n].successors[i].to as usize];
            let earlier = (0..n).find(|m| (cert.nodes[*m].loc, cert.nodes[*m].stack) == (to.loc, to.stack));
            let Some(earlier) = earlier else { continue };
            let mut mutant = cert.clone();
            mutant.nodes[n].successors[i].to = earlier as u32;
            assert!(rejected(&s.cfa, &mutant).contains("has no label and does not come after it"));
            mutants += 1;
        }
    }
    assert!(mutants > 3);
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
fn loop_invariants_must_be_inductive() {
    let s = sum(6);
    let cert = loops(&s);
    assert!(cert.nodes.len() < 20);
    let head = cert.nodes.iter().position(|n| n.repeats.is_some()).expect("a loop");
    let with = |change: &dyn Fn(&mut Certificate)| {
        let mut mutant = cert.clone();
        change(&mut mutant);
        rejected(&s.cfa, &mutant)
    };
    let repeats = |c: &mut Certificate| c.nodes[head].repeats.take().expect("a loop");
    // Too weak, too strong, not inductive.
    let weak = with(&|c| c.nodes[head].repeats.as_mut().expect("a loop").invariants.clear());
    assert!(weak.contains("which can be taken"), "{weak}");
    let i = s.cfa.vars.iter_enumerated().find(|(_, v)| v.name == "i").expect("a variable").0;
    let i_is = |c: &mut Certificate, k: u64| {
        let (i, k) = (c.terms.var(i, cfa::Sort::Bv(2)), c.terms.int(2, k));
        c.terms.eq(i, k)
    };
    let strong = with(&|c| {
        let one = i_is(c, 1);
        c.nodes[head].repeats.as_mut().expect("a loop").invariants.push(one);
    });
    assert!(strong.contains("an entry of the loop"), "{strong}");
    let not_inductive = with(&|c| {
        let zero = i_is(c, 0);
        c.nodes[head].repeats.as_mut().expect("a loop").invariants.push(zero);
    });
    assert!(not_inductive.contains("closes the loop"), "{not_inductive}");
    // Variables that the loop writes without saying so.
    for v in [s.sum, s.i] {
        let silent = with(&|c| c.nodes[head].repeats.as_mut().expect("a loop").written.retain(|w| *w != v));
        assert!(silent.contains("closes the loop") || silent.contains("can be taken"), "{silent}");
    }
    let gone = with(&|c| drop(repeats(c)));
    assert!(gone.contains("has no label and does not come after it"), "{gone}");
    let both = with(&|c| c.nodes[head].label = Some(Box::default()));
    assert!(both.contains("both a label and a loop invariant"), "{both}");
    let symbol = with(&|c| {
        let s = c.terms.fresh("s", cfa::Sort::Bool);
        c.nodes[head].repeats.as_mut().expect("a loop").invariants.push(s);
    });
    assert!(symbol.contains("names a symbol"), "{symbol}");
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
    assert!(rejected(&s.cfa, &cert).contains("reads `sum`, of which a write is dropped"));
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
    // After the loop, an unknown construct: before the exit it may still call anything.
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
    check(&s.cfa, &Explorer::new(&s.cfa, &cut).unwinding(40)).expect("a proof: no target comes after it");
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
    let cert = unwinding(&sum(6));
    let over = Certificate { slice: whole(&s.cfa), ..cert.clone() };
    assert!(rejected(&s.cfa, &over).contains("a local of `main`"));
    let mut s = sum(6);
    edge(&mut s.cfa, entry, LocId(0), Op::Skip);
    assert!(rejected(&s.cfa, &cert).contains("slice is for"));
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

/// An explicit-value graph of a long loop over many variables is checked in time linear in its nodes.
#[test]
fn long_graphs_are_cheap() {
    use cfa::bv::{BvCmp, BvOp};
    use cfa::path::Env;
    use cfa::{Cfa, Scope, Sort, Span, Terms};
    use checker::{Label, Node, Successor};
    const ITERATIONS: u64 = 33_000;
    let mut cfa = Cfa::new(64);
    let main = cfa.add_func("main", Span::default());
    cfa.entry = main;
    let i = cfa.add_var("i", Sort::Bv(32), Scope::Local(main));
    let vars: Vec<cfa::VarId> = (0..200).map(|k| cfa.add_var(format!("v{k}"), Sort::Bv(32), Scope::Global)).collect();
    let (i_t, x_t) = (cfa.var_term(i), cfa.var_term(vars[77]));
    let (zero, one, end) = (cfa.terms.int(32, 0), cfa.terms.int(32, 1), cfa.terms.int(32, ITERATIONS));
    let (entry, exit) = (cfa.funcs[main].entry, cfa.funcs[main].exit);
    let (head, a, b, target) = (cfa.add_loc(main), cfa.add_loc(main), cfa.add_loc(main), cfa.add_loc(main));
    cfa.targets.push(target);
    let all = vars.iter().map(|v| (*v, one)).chain([(i, zero)]).collect();
    edge(&mut cfa, entry, head, Op::Assign(all));
    let more = cfa.terms.cmp(BvCmp::Ult, i_t, end);
    branch(&mut cfa, head, more, a, exit);
    let sum = cfa.terms.bv_op(BvOp::Add, x_t, i_t);
    let next = cfa.terms.bv_op(BvOp::Add, i_t, one);
    edge(&mut cfa, a, b, Op::assign(vars[77], sum));
    edge(&mut cfa, b, head, Op::assign(i, next));
    let mut terms = Terms::over(std::sync::Arc::new(cfa.terms.clone()));
    let mut env = Env::default();
    let mut nodes = vec![Node { label: Some(Box::default()), ..node(entry, None) }];
    let (mut loc, slice) = (entry, whole(&cfa));
    let view = cfa::view::View::new(&cfa, &slice);
    while loc != exit {
        let (edge, next) = view
            .out(loc)
            .iter()
            .find_map(|e| {
                let mut next = env.clone();
                let effect = next.apply(&cfa, &mut terms, view.op(&cfa, e));
                let taken = !matches!(effect, cfa::path::Effect::Constrain(c) if terms.as_bool(c) == Some(false));
                taken.then_some((*e, next))
            })
            .expect("an edge");
        let to = nodes.len() as u32;
        nodes[to as usize - 1].successors.push(Successor::new(Step::Edge(edge.edge), to));
        (loc, env) = (edge.to, next);
        nodes.push(Node { label: Some(Box::new(Label { env: env.clone(), ..Label::default() })), ..node(loc, None) });
    }
    let cert = Certificate { slice, terms, frames: Vec::new(), nodes, contracts: Vec::new(), explored: None };
    let start = std::time::Instant::now();
    let checked = check(&cfa, &cert).expect("a proof");
    assert_eq!(checked.statistics.open, 0);
    assert!(checked.statistics.nodes > 99_000);
    println!("{:?} for {} nodes", start.elapsed(), checked.statistics.nodes);
    assert!(start.elapsed() < std::time::Duration::from_secs(120));
}
