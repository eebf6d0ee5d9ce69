//! Random small programs, whose verdict brute force knows: exact certificates are accepted, and nothing is accepted for a program
//! whose target can be reached, however a certificate is bent.

use crate::support::*;
use cfa::bv::{BvCmp, BvOp};
use cfa::path::Env;
use cfa::view::Slice;
use cfa::{AssumeKind, Cfa, EdgeId, Id, InputKind, Op, Scope, Sort, Span, Term, VarId};
use checker::{Certificate, CheckError, text};
use kerf_testing::Random;

fn value(r: &mut Random, cfa: &mut Cfa, vars: &[VarId]) -> Term {
    let leaf = |r: &mut Random, cfa: &mut Cfa| {
        if r.one_in(3) {
            let k = r.below(4) as u64;
            cfa.terms.int(2, k)
        } else {
            let v = r.pick(vars);
            cfa.var_term(v)
        }
    };
    let (a, b) = (leaf(r, cfa), leaf(r, cfa));
    match r.below(5) {
        0 | 1 => a,
        2 => cfa.terms.bv_op(BvOp::Add, a, b),
        3 => cfa.terms.bv_op(BvOp::Xor, a, b),
        _ => cfa.terms.bv_op(BvOp::And, a, b),
    }
}

fn condition(r: &mut Random, cfa: &mut Cfa, vars: &[VarId]) -> Term {
    let (a, b) = (value(r, cfa, vars), value(r, cfa, vars));
    match r.below(3) {
        0 => cfa.terms.eq(a, b),
        1 => cfa.terms.cmp(BvCmp::Ult, a, b),
        _ => {
            let eq = cfa.terms.eq(a, b);
            cfa.terms.not(eq)
        }
    }
}

/// A program with a main function, one that it may call (which may call itself), and a target that something may lead to.
fn program(r: &mut Random) -> Cfa {
    let mut cfa = Cfa::new(64);
    let funcs = [cfa.add_func("main", Span::default()), cfa.add_func("f", Span::default())];
    cfa.entry = funcs[0];
    let globals = [cfa.add_var("g", Sort::Bv(2), Scope::Global), cfa.add_var("h", Sort::Bv(2), Scope::Global)];
    for (k, &f) in funcs.iter().enumerate() {
        let x = cfa.add_var(if k == 0 { "x" } else { "y" }, Sort::Bv(2), Scope::Local(f));
        let vars = [globals[0], globals[1], x];
        let (entry, exit) = (cfa.funcs[f].entry, cfa.funcs[f].exit);
        let mut locs = vec![entry];
        locs.extend((0..3 + r.below(5 - 2 * k)).map(|_| cfa.add_loc(f)));
        locs.push(exit);
        let last = locs.len() - 1;
        let target = if r.one_in(k + 1) { Some(cfa.add_loc(f)) } else { None };
        cfa.targets.extend(target);
        for i in 0..last {
            let next = if r.one_in(5) { locs[1 + r.below(last)] } else { locs[i + 1] };
            let from = locs[i];
            match r.below(8) {
                0..3 => {
                    let (v, t) = (r.pick(&vars), value(r, &mut cfa, &vars));
                    edge(&mut cfa, from, next, Op::assign(v, t));
                }
                3 => {
                    let (var, kind) = (r.pick(&vars), InputKind::Uninitialised);
                    edge(&mut cfa, from, next, Op::Input { var, kind });
                }
                4 if k == 0 || r.one_in(3) => {
                    edge(&mut cfa, from, next, Op::Call(funcs[1]));
                }
                5 => {
                    let cond = condition(r, &mut cfa, &vars);
                    edge(&mut cfa, from, next, Op::Assume { cond, kind: AssumeKind::User });
                    if r.one_in(2) {
                        let other = condition(r, &mut cfa, &vars);
                        let to = r.pick(&locs[1..]);
                        edge(&mut cfa, from, to, Op::Assume { cond: other, kind: AssumeKind::Branch });
                    }
                }
                6 if r.one_in(2) => {
                    edge(&mut cfa, from, next, Op::Skip);
                    edge(&mut cfa, from, r.pick(&locs[1..]), Op::Skip);
                }
                _ => {
                    let cond = condition(r, &mut cfa, &vars);
                    let other = match target {
                        Some(t) if r.one_in(2) => t,
                        _ => r.pick(&locs[1..]),
                    };
                    branch(&mut cfa, from, cond, next, other);
                }
            }
        }
    }
    cfa
}

/// Some slice: all, or one that keeps what some kept edges need, or any.
fn slice(r: &mut Random, cfa: &Cfa) -> Slice {
    let mut slice = Slice::whole(cfa);
    let kind = r.below(4);
    if kind == 0 {
        return slice;
    }
    for e in cfa.edges.ids() {
        slice.kept.set(e.index(), r.one_in(2));
    }
    if kind == 1 {
        slice.live.set(r.below(cfa.edges.len()), false);
    }
    if kind < 3 {
        loop {
            let kept = |e: &EdgeId| slice.kept.contains(e.index());
            let read: Vec<VarId> = cfa
                .edges
                .ids()
                .filter(kept)
                .flat_map(|e| cfa.edges[e].op.terms())
                .flat_map(|t| cfa.terms.vars(t))
                .collect();
            let needed = |e: EdgeId| cfa.edges[e].op.written().iter().any(|v| read.contains(v));
            let Some(e) = cfa.edges.ids().find(|e| !kept(e) && needed(*e)) else { break };
            slice.kept.insert(e.index());
        }
    }
    slice
}

const LIMIT: usize = 3000;

fn certificate(r: &mut Random, cfa: &Cfa, slice: &Slice, blocked: Option<EdgeId>) -> Option<Certificate> {
    let mut explorer = Explorer::new(cfa, slice);
    explorer.blocked = blocked;
    match r.below(4) {
        0 => {
            explorer.reachable(LIMIT)?;
            let mut again = Explorer::new(cfa, slice);
            again.blocked = blocked;
            Some(again.unwinding(12))
        }
        1 => explorer.values(200),
        2 => explorer.invariants(LIMIT),
        _ => explorer.loops(LIMIT),
    }
}

/// Bends a certificate in one place.
fn bend(r: &mut Random, cfa: &Cfa, cert: &mut Certificate) {
    if !cert.contracts.is_empty() && r.one_in(2) {
        return bend_contract(r, cfa, cert);
    }
    let n = r.below(cert.nodes.len());
    let m = r.below(cert.nodes.len());
    let other = cert.nodes[m].clone();
    let node = &mut cert.nodes[n];
    match r.below(12) {
        0 if !node.successors.is_empty() => {
            let i = r.below(node.successors.len());
            node.successors.remove(i);
        }
        1 if !node.successors.is_empty() => {
            let i = r.below(node.successors.len());
            node.successors[i].to = m as u32;
        }
        2 => node.label = other.label,
        3 => node.repeats = other.repeats,
        4 => node.loc = other.loc,
        5 => node.stack = other.stack,
        6 => node.label = Some(Box::default()),
        7 => {
            if let Some(l) = &mut node.label {
                l.constraints.pop();
            }
        }
        8 => {
            if let Some(l) = &mut node.repeats {
                l.written.pop();
            }
        }
        9 => {
            let v = VarId::from_index(r.below(cfa.vars.len()));
            let t = cert.terms.int(2, r.below(4) as u64);
            if let Some(l) = &mut node.label {
                let Env { globals, locals } = &mut l.env;
                if cfa.is_local(v) {
                    locals.insert(v, t)
                } else {
                    globals.insert(v, t)
                };
            }
            if let Some(l) = &mut node.repeats {
                let var = cert.terms.var(v, Sort::Bv(2));
                let eq = cert.terms.eq(var, t);
                l.invariants.push(eq);
            }
        }
        10 => {
            let e = r.below(cfa.edges.len());
            cert.slice.kept.toggle(e);
        }
        _ => {
            for s in &mut node.successors {
                if r.one_in(2) {
                    s.to = m as u32;
                }
            }
        }
    }
}

/// Bends a contract in one place.
fn bend_contract(r: &mut Random, cfa: &Cfa, cert: &mut Certificate) {
    let v = VarId::from_index(r.below(cfa.vars.len()));
    let s = cert.contracts[0].entry.first().map(|(_, s)| *s);
    let (x, k) = (cert.terms.var(v, Sort::Bv(2)), cert.terms.int(2, r.below(4) as u64));
    let said = match s {
        Some(s) if r.one_in(2) => {
            let s = cert.terms.sym(s);
            cert.terms.eq(x, s)
        }
        _ => cert.terms.eq(x, k),
    };
    let nodes = cert.nodes.len();
    let contract = &mut cert.contracts[0];
    match r.below(9) {
        0 => contract.pre.clear(),
        1 => contract.post.clear(),
        2 => contract.pre = vec![said],
        3 => contract.post = vec![said],
        4 => contract.pre.push(said),
        5 => contract.post.push(said),
        6 => contract.root = r.below(nodes) as u32,
        7 => {
            contract.entry.pop();
        }
        _ => {
            if let (Some(s), Some(last)) = (s, contract.entry.last_mut()) {
                last.1 = s;
            }
        }
    }
}

/// All nodes of a location and stack led to from anywhere may as well be one: a certificate that goes back to earlier nodes.
fn fold_back(r: &mut Random, cert: &mut Certificate) {
    for n in 0..cert.nodes.len() {
        for i in 0..cert.nodes[n].successors.len() {
            let key = |k: usize| (cert.nodes[k].loc, cert.nodes[k].stack);
            let to = cert.nodes[n].successors[i].to as usize;
            let same: Vec<usize> = (0..cert.nodes.len()).filter(|k| key(*k) == key(to)).collect();
            if r.one_in(6) {
                cert.nodes[n].successors[i].to = r.pick(&same) as u32;
            }
        }
    }
}

/// How often certificates were accepted.
#[derive(Default)]
struct Tally {
    reachable: usize,
    safe: usize,
    accepted: usize,
    rejected: usize,
    bent_accepted: usize,
}

impl Tally {
    /// Counts a program; whether its target is reached.
    fn program(&mut self, cfa: &Cfa) -> Option<bool> {
        let states = Explorer::new(cfa, &Slice::whole(cfa)).reachable(LIMIT)?;
        let reached = states.iter().any(|s| cfa.is_target(s.loc));
        if reached {
            self.reachable += 1
        } else {
            self.safe += 1
        }
        Some(reached)
    }

    /// Checks a certificate, its text, and bent ones: none is accepted if the target is `reached`.
    fn certificate(&mut self, r: &mut Random, cfa: &Cfa, cert: &Certificate, reached: bool) {
        let written = text::write(cfa, cert);
        let again = text::read(&written, cfa).unwrap_or_else(|e| panic!("{e}: {written}"));
        let answer = check(cfa, cert);
        assert_eq!(check(cfa, &again).is_ok(), answer.is_ok(), "{written}");
        match answer {
            Ok(_) if reached => panic!("accepted {cert:#?} of {cfa:#?}"),
            Ok(_) => self.accepted += 1,
            Err(CheckError::Rejected(_)) => self.rejected += 1,
            Err(e) => panic!("{e}"),
        }
        for _ in 0..6 {
            let mut bent = cert.clone();
            if r.one_in(3) {
                fold_back(r, &mut bent);
            }
            for _ in 0..r.below(3) {
                bend(r, cfa, &mut bent);
            }
            match check(cfa, &bent) {
                Ok(_) if reached => panic!("accepted {bent:#?} of {cfa:#?}"),
                Ok(_) => self.bent_accepted += 1,
                Err(CheckError::Rejected(_)) => {}
                Err(e) => panic!("{e}"),
            }
        }
    }

    fn print(&self) {
        let Tally { reachable, safe, accepted, rejected, bent_accepted } = self;
        println!(
            "{reachable} reachable, {safe} safe, {accepted} accepted, {rejected} rejected, {bent_accepted} bent accepted"
        );
    }
}

#[test]
fn only_proofs_are_accepted() {
    let mut tally = Tally::default();
    for seed in 0..40 {
        let mut r = Random::new(seed * 77 + 1);
        let cfa = program(&mut r);
        let Some(reached) = tally.program(&cfa) else { continue };
        if !reached {
            // The exact sets of states are a proof.
            let exact = Explorer::new(&cfa, &Slice::whole(&cfa)).invariants(LIMIT).expect("explored before");
            check(&cfa, &exact).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        }
        for _ in 0..12 {
            let s = slice(&mut r, &cfa);
            let blocked = r.one_in(2).then(|| EdgeId::from_index(r.below(cfa.edges.len())));
            let Some(cert) = certificate(&mut r, &cfa, &s, blocked) else { continue };
            tally.certificate(&mut r, &cfa, &cert, reached);
        }
    }
    tally.print();
    assert!(tally.reachable > 5 && tally.safe > 10 && tally.accepted > 50 && tally.bent_accepted > 50);
}

/// What calls of a function find and have written, exactly, or as if some edge were never taken.
#[test]
fn contracts_are_accepted_only_if_they_are_proofs() {
    let mut tally = Tally::default();
    for seed in 0..400 {
        let mut r = Random::new(seed * 91 + 5);
        let cfa = program(&mut r);
        let Some(reached) = tally.program(&cfa) else { continue };
        for attempt in 0..3 {
            let mut explorer = Explorer::new(&cfa, &Slice::whole(&cfa));
            explorer.blocked = (attempt > 0).then(|| EdgeId::from_index(r.below(cfa.edges.len())));
            let Some(cert) = explorer.contract(func(&cfa, "f"), 12, LIMIT) else { continue };
            tally.certificate(&mut r, &cfa, &cert, reached);
        }
    }
    tally.print();
    assert!(tally.reachable > 10 && tally.accepted > 10 && tally.rejected > 50 && tally.bent_accepted > 20);
}
