//! Contracts of recursive functions: what holds is accepted, and each way to say more than that is rejected.

use crate::support::*;
use cfa::bv::BvOp;
use cfa::text::parse;
use cfa::view::View;
use cfa::{Cfa, FuncId, LocId, Sort, Term, Terms, VarId};
use checker::{Certificate, Contract, Frame, Node, NodeId, Step, text};
use std::sync::Arc;

/// `id(p) { return p == 0 ? 0 : id(p - 1) + 1; }`, with a bystander; the target is reached if `id(x) != x`, or if the bystander changes.
const IDENTITY: &str = "cfa 1\npointer_bits 64\nentry main\n\
    func main entry l0 exit l1\nfunc id entry l2 exit l3 params (p) result r\n\
    var p bv8\nvar r bv8\nvar bystander bv8\nvar x bv8 of main\nvar n bv8 of id\n\
    in main\nl0 -> l4: bystander := 3:8\nl4 -> l5: x := ? program \"nondet\"\nl5 -> l6: p := x\nl6 -> l7: call id\n\
    l7 -> l1: [(and (= r x) (= bystander 3:8))]\nl7 -> l8: [(not (and (= r x) (= bystander 3:8)))]\ntarget l8\n\
    in id\nl2 -> l9: n := p\nl9 -> l10: [(= n 0:8)]\nl9 -> l11: [(not (= n 0:8))]\nl10 -> l3: r := 0:8\n\
    l11 -> l12: p := (bvsub n 1:8)\nl12 -> l13: call id\nl13 -> l3: r := (bvadd r 1:8)\n";

fn var(cfa: &Cfa, name: &str) -> VarId {
    cfa.vars.iter_enumerated().find(|(_, v)| v.name == name).expect("a variable").0
}

/// The graph of one activation that has no loop, with all calls passed over: a node for each location and number of steps.
fn flow(view: &View, start: LocId, nodes: &mut Vec<Node>) {
    let mut at = nodes.len();
    nodes.push(node(start, None));
    let mut keys = vec![(start, 0)];
    let first = at;
    while at < nodes.len() {
        let steps = keys[at - first].1 + 1;
        for e in view.out(nodes[at].loc).to_vec() {
            let key = (e.to, steps);
            let known = keys.iter().position(|k| *k == key);
            let to = known.unwrap_or_else(|| {
                nodes.push(node(e.to, None));
                keys.push(key);
                keys.len() - 1
            });
            link(nodes, at as NodeId, Step::Edge(e.edge), (first + to) as NodeId);
        }
        at += 1;
    }
}

/// A certificate with contracts of the functions with these names that say nothing, each with symbols for the values of `p` and `r` at the entry.
fn bare(cfa: &Cfa, names: &[&str]) -> Certificate {
    let view = View::new(cfa, &whole(cfa));
    let mut terms = Terms::over(Arc::new(cfa.terms.clone()));
    let (mut nodes, mut contracts) = (Vec::new(), Vec::new());
    flow(&view, view.rep(cfa.funcs[cfa.entry].entry), &mut nodes);
    for name in names {
        let f: FuncId = func(cfa, name);
        let root = nodes.len() as NodeId;
        flow(&view, view.rep(cfa.funcs[f].entry), &mut nodes);
        let mut named = |name: &str| {
            let v = var(cfa, name);
            (v, terms.fresh_sym("at entry", cfa.vars[v].sort))
        };
        let entry = vec![named("p"), named("r")];
        contracts.push(Contract { func: f, root, entry, pre: Vec::new(), post: Vec::new() });
    }
    Certificate { slice: whole(cfa), terms, frames: Vec::new(), nodes, contracts, explored: None }
}

/// `p` and `r` at the entry, `p` and `r` now, in contract `i` of `cert`.
fn values(cfa: &Cfa, cert: &mut Certificate, i: usize) -> [Term; 4] {
    let [p, r] = [0, 1].map(|k| cert.contracts[i].entry[k]);
    let (before_p, before_r) = (cert.terms.sym(p.1), cert.terms.sym(r.1));
    [before_p, before_r, cert.terms.var(p.0, cfa.vars[p.0].sort), cert.terms.var(r.0, cfa.vars[r.0].sort)]
}

/// The identity's program and a proof: `r` at the exit is `p` at the entry.
fn identity() -> (Cfa, Certificate) {
    let cfa = parse(IDENTITY).expect("a program");
    let mut cert = bare(&cfa, &["id"]);
    let [before, _, _, result] = values(&cfa, &mut cert, 0);
    let same = cert.terms.eq(before, result);
    cert.contracts[0].post.push(same);
    (cfa, cert)
}

fn after(change: impl Fn(&Cfa, &mut Certificate)) -> String {
    let (cfa, mut cert) = identity();
    change(&cfa, &mut cert);
    rejected(&cfa, &cert)
}

#[test]
fn a_recursive_function_is_proved() {
    let (cfa, cert) = identity();
    let checked = check(&cfa, &cert).expect("a proof");
    assert_eq!(checked.statistics.nodes, cert.nodes.len());
    let written = text::write(&cfa, &cert);
    assert!(written.contains("\ncontract f1\n entry v0=s0 v1=s1\n pre\n post t"), "{written}");
    let again = text::read(&written, &cfa).expect("a certificate");
    check(&cfa, &again).expect("a proof");
    assert_eq!(text::write(&cfa, &again), written);
}

/// Every function terminates or not: contracts do not care.
#[test]
fn nothing_is_after_a_call_that_never_returns() {
    let endless = IDENTITY.replace("l10 -> l3: r := 0:8", "l10 -> l11: r := 0:8");
    let cfa = parse(&endless).expect("a program");
    let mut cert = bare(&cfa, &["id"]);
    let no = cert.terms.ff();
    cert.contracts[0].post.push(no);
    check(&cfa, &cert).expect("a proof");
    // If it does return, that is wrong.
    let message = after(|_, cert| {
        let no = cert.terms.ff();
        cert.contracts[0].post.push(no);
    });
    assert!(message.contains("outside the postcondition"), "{message}");
}

#[test]
fn postconditions_must_hold_and_suffice() {
    let weak = after(|_, cert| cert.contracts[0].post.clear());
    assert!(weak.contains("is at a target that is reached"), "{weak}");
    for (op, k) in [(BvOp::Add, 1), (BvOp::And, 0x7f), (BvOp::Xor, 0x80)] {
        let wrong = after(|cfa, cert| {
            let [before, _, _, result] = values(cfa, cert, 0);
            let k = cert.terms.int(8, k);
            let other = cert.terms.bv_op(op, before, k);
            let wrong = cert.terms.eq(other, result);
            cert.contracts[0].post.push(wrong);
        });
        assert!(wrong.contains("outside the postcondition"), "{wrong}");
    }
    // True, but of other values: what r was before, and what p is afterwards.
    for swapped in 0..2 {
        after(|cfa, cert| {
            let [p, r, p_now, r_now] = values(cfa, cert, 0);
            let same = if swapped == 0 { cert.terms.eq(r, r_now) } else { cert.terms.eq(p, p_now) };
            cert.contracts[0].post = vec![same];
        });
    }
}

/// That even arguments have even results suffices here, but what the inner call gives is to be known as well.
#[test]
fn postconditions_must_be_inductive() {
    let parity = "(or (= (bvand x 1:8) 1:8) (= (bvand r 1:8) 0:8))";
    let cfa = parse(&IDENTITY.replace("(= r x)", parity)).expect("a program");
    let mut cert = bare(&cfa, &["id"]);
    let [before, _, _, result] = values(&cfa, &mut cert, 0);
    let [before, result] = [before, result].map(|t| cert.terms.extract(0, 0, t));
    let zero = cert.terms.int(1, 0);
    let [is_even, becomes_even] = [before, result].map(|t| cert.terms.eq(t, zero));
    cert.contracts[0].post.push(cert.terms.implies(is_even, becomes_even));
    assert!(rejected(&cfa, &cert).contains("outside the postcondition"));
    cert.contracts[0].post.push(cert.terms.implies(becomes_even, is_even));
    check(&cfa, &cert).expect("a proof");
}

#[test]
fn preconditions_hold_at_every_call() {
    let narrow = |cfa: &Cfa, cert: &mut Certificate, at_least: u64| {
        let [_, _, p, _] = values(cfa, cert, 0);
        let k = cert.terms.int(8, at_least);
        let pre = cert.terms.cmp(cfa::bv::BvCmp::Ule, k, p);
        cert.contracts[0].pre.push(pre);
    };
    let wrong = after(|cfa, cert| narrow(cfa, cert, 1));
    assert!(wrong.contains("outside its precondition"), "{wrong}");
    // From 7 on only, and down to 5: the inner call breaks it.
    let from_seven = IDENTITY
        .replace("l5 -> l6: p := x", "l5 -> l14: [(bvule 7:8 x)]\nl14 -> l6: p := x")
        .replace("(= n 0:8)", "(= n 5:8)")
        .replace("r := 0:8", "r := 5:8");
    let cfa = parse(&from_seven).expect("a program");
    let with = |at_least| {
        let mut cert = bare(&cfa, &["id"]);
        let [before, _, _, result] = values(&cfa, &mut cert, 0);
        cert.contracts[0].post.push(cert.terms.eq(before, result));
        narrow(&cfa, &mut cert, at_least);
        check(&cfa, &cert)
    };
    with(5).expect("a proof");
    with(0).expect("a proof");
    for at_least in [6, 7, 8] {
        with(at_least).expect_err("a call breaks it");
    }
}

/// What the function writes is arbitrary after a call, whether the contract speaks about it or not.
#[test]
fn side_effects_are_seen() {
    let writes = IDENTITY.replace("l10 -> l3: r := 0:8", "l10 -> l14: bystander := 4:8\nl14 -> l3: r := 0:8");
    let cfa = parse(&writes).expect("a program");
    let mut cert = bare(&cfa, &["id"]);
    let [before, _, _, result] = values(&cfa, &mut cert, 0);
    cert.contracts[0].post.push(cert.terms.eq(before, result));
    assert!(rejected(&cfa, &cert).contains("is at a target that is reached"));
    // And if a function that it calls does.
    let calls = "func other entry l14 exit l15\n";
    let by_other = IDENTITY
        .replace("var p bv8", &format!("{calls}var p bv8"))
        .replace("l10 -> l3: r := 0:8", "l10 -> l16: call other\nl16 -> l3: r := 0:8")
        + "in other\nl14 -> l15: bystander := 4:8\n";
    let cfa = parse(&by_other).expect("a program");
    let mut cert = bare(&cfa, &["id", "other"]);
    let [before, _, _, result] = values(&cfa, &mut cert, 0);
    cert.contracts[0].post.push(cert.terms.eq(before, result));
    assert!(rejected(&cfa, &cert).contains("is at a target that is reached"));
}

/// Two functions that call each other: each contract rests on the other.
#[test]
fn functions_in_a_cycle() {
    let mutual = IDENTITY
        .replace("func id ", "func other entry l14 exit l15 params (p) result r\nfunc id ")
        .replace("var n bv8 of id", "var n bv8 of id\nvar m bv8 of other")
        .replace("l12 -> l13: call id", "l12 -> l13: call other")
        + "in other\nl14 -> l16: m := p\nl16 -> l17: call id\nl17 -> l15: [(= r m)]\nl17 -> l18: [(not (= r m))]\ntarget l18\n";
    let cfa = parse(&mutual).expect("a program");
    let with = |wrong: Option<usize>| {
        let mut cert = bare(&cfa, &["id", "other"]);
        for i in 0..2 {
            let [before, _, _, result] = values(&cfa, &mut cert, i);
            let (zero, k) = (cert.terms.int(8, 0), cert.terms.int(8, u64::from(wrong == Some(i))));
            let expected = cert.terms.add(before, k);
            let holds = cert.terms.eq(expected, result);
            // Wrong for arguments other than zero only.
            let small = cert.terms.eq(before, zero);
            cert.contracts[i].post.push(cert.terms.or(holds, small));
            let at_zero = cert.terms.eq(before, result);
            let not = cert.terms.not(small);
            cert.contracts[i].post.push(cert.terms.or(at_zero, not));
        }
        check(&cfa, &cert)
    };
    with(None).expect("a proof");
    with(Some(0)).expect_err("wrong");
    with(Some(1)).expect_err("wrong");
}

#[test]
fn every_step_of_a_contract_is_needed() {
    let (cfa, cert) = identity();
    for n in 0..cert.nodes.len() {
        for i in 0..cert.nodes[n].successors.len() {
            let to = &cert.nodes[cert.nodes[n].successors[i].to as usize];
            if cfa.is_target(to.loc) {
                // It cannot be taken indeed.
                continue;
            }
            let mut mutant = cert.clone();
            mutant.nodes[n].successors.remove(i);
            let message = rejected(&cfa, &mutant);
            assert!(message.contains("has no successor"), "{message}");
        }
    }
}

#[test]
fn targets_within_a_contract_count() {
    let fails = IDENTITY.replace("l10 -> l3: r := 0:8", "l10 -> l14: r := 0:8\ntarget l14");
    let cfa = parse(&fails).expect("a program");
    let mut cert = bare(&cfa, &["id"]);
    let [before, _, _, result] = values(&cfa, &mut cert, 0);
    cert.contracts[0].post.push(cert.terms.eq(before, result));
    assert!(rejected(&cfa, &cert).contains("is at a target that is reached"));
}

#[test]
fn contracts_must_be_well_formed() {
    let says = |change: fn(&Cfa, &mut Certificate), expected: &str| {
        let message = after(change);
        assert!(message.contains(expected), "{message}");
    };
    says(|_, cert| cert.contracts.clear(), "does not have the frame");
    says(|_, cert| cert.contracts.push(cert.contracts[0].clone()), "two contracts");
    says(|_, cert| cert.contracts[0].func = FuncId(7), "does not exist");
    says(|_, cert| cert.contracts[0].func = FuncId(0), "does not begin at the function's entry");
    says(|_, cert| cert.contracts[0].root = 0, "does not come after the others");
    says(|_, cert| cert.contracts[0].root += 1, "does not begin at the function's entry");
    says(|_, cert| cert.contracts[0].root = 1_000, "has no node");
    says(
        |_, cert| {
            let root = cert.contracts[0].root as usize;
            cert.frames.push(Frame { return_to: LocId(7), below: None });
            cert.nodes[root].stack = Some(0);
        },
        "does not begin at the function's entry",
    );
    says(
        |_, cert| {
            let root = cert.contracts[0].root as usize;
            cert.nodes[root].label = Some(Box::default());
        },
        "it has a label, in the graph of a contract",
    );
    says(
        |_, cert| {
            let last = cert.nodes.len() as NodeId - 1;
            cert.nodes[0].successors[0].to = last;
        },
        "is in another graph",
    );
    // One symbol for two variables would say that they are equal at the entry.
    says(|_, cert| cert.contracts[0].entry[1].1 = cert.contracts[0].entry[0].1, "of two variables");
    says(|_, cert| cert.contracts[0].entry.truncate(0), "names a symbol");
    says(|cfa, cert| cert.contracts[0].entry[0].0 = var(cfa, "n"), "cannot stand for the value");
    says(
        |_, cert| {
            cert.contracts[0].entry[1].1 = cert.terms.fresh_sym("wide", Sort::Bv(9));
        },
        "cannot stand for the value",
    );
    says(
        |cfa, cert| {
            let n = cert.terms.var(var(cfa, "n"), Sort::Bv(8));
            let zero = cert.terms.int(8, 0);
            cert.contracts[0].post.push(cert.terms.eq(n, zero));
        },
        "not visible there",
    );
    says(
        |cfa, cert| {
            let [before, ..] = values(cfa, cert, 0);
            let zero = cert.terms.int(8, 0);
            cert.contracts[0].pre.push(cert.terms.eq(before, zero));
        },
        "names a symbol",
    );
    says(
        |cfa, cert| {
            let [before, ..] = values(cfa, cert, 0);
            cert.contracts[0].post.push(before);
        },
        "not a Bool term",
    );
}
