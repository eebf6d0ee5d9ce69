//! Conditions on all elements of an array: what they prove, and how they can be wrong.

use crate::support::*;
use cfa::bv::BvCmp;
use cfa::{Cfa, EdgeId, LocId, Sort, SymId, Term, Terms, VarId};
use checker::{Certificate, ForAll, LoopLabel, Node, Step, Successor, text};
use std::sync::Arc;

/// A loop writes 7 into the cells below 1000; then a cell below 1000 is looked at.
const PROGRAM: &str = "cfa 1
pointer_bits 16
entry main
func main entry l0 exit l1
var m mem16x8
var i bv16
var j bv16
in main
  l0 -> l2: i := 0:16
  l2 -> l3: [(bvult i 1000:16)]
  l2 -> l4: [(not (bvult i 1000:16))]
  l3 -> l5: m := (write m i 7:8)
  l5 -> l2: i := (bvadd i 1:16)
  l4 -> l6: j := ? program \"any\"
  l6 -> l7: [(bvult j 1000:16)]
  l6 -> l1: [(not (bvult j 1000:16))]
  l7 -> l8: [(not (= (read.8 m j) 7:8))]
  l7 -> l1: [(= (read.8 m j) 7:8)]
in main
  target l8
";

fn program() -> Cfa {
    cfa::text::parse(PROGRAM).expect("a program")
}

/// What is said of the loop: `for all q: low <= q < high implies m[q] = value`, and `i <= 1000`.
struct Said {
    terms: Terms,
    index: Term,
    m: Term,
    i: Term,
}

impl Said {
    fn new(cfa: &Cfa) -> Said {
        let mut terms = Terms::over(Arc::new(cfa.terms.clone()));
        let var = |terms: &mut Terms, v: u32| terms.var(VarId(v), cfa.vars[VarId(v)].sort);
        let (m, i) = (var(&mut terms, 0), var(&mut terms, 1));
        let index = terms.fresh("q", Sort::Bv(16));
        Said { terms, index, m, i }
    }

    fn index(&self) -> SymId {
        match self.terms.kind(self.index) {
            cfa::term::Kind::Sym(s) => s,
            _ => unreachable!("a symbol"),
        }
    }

    fn holds(&mut self, high: Term, cmp: BvCmp, value: u64) -> Term {
        let below = self.terms.cmp(cmp, self.index, high);
        let cell = self.terms.read(self.m, self.index, 8);
        let value = self.terms.int(8, value);
        let is_value = self.terms.eq(cell, value);
        self.terms.implies(below, is_value)
    }

    fn certificate(mut self, cfa: &Cfa, universals: Vec<ForAll>) -> Certificate {
        let most = self.terms.int(16, 1000);
        let bound = self.terms.cmp(BvCmp::Ule, self.i, most);
        let label = LoopLabel {
            written: vec![VarId(0), VarId(1)],
            invariants: vec![bound],
            universals,
            ..LoopLabel::default()
        };
        // Location, and edges with where they lead, in the order of the program's text.
        let graph: [(u32, &[(u32, u32)]); 8] = [
            (0, &[(0, 1)]),
            (2, &[(1, 2), (2, 4)]),
            (3, &[(3, 3)]),
            (5, &[(4, 1)]),
            (4, &[(5, 5)]),
            (6, &[(6, 6), (7, 7)]),
            (7, &[(9, 7)]),
            (1, &[]),
        ];
        let step = |&(e, to): &(u32, u32)| Successor::new(Step::Edge(EdgeId(e)), to);
        let node = |(loc, out): (u32, &[(u32, u32)])| Node {
            loc: LocId(loc),
            stack: None,
            label: None,
            repeats: None,
            successors: out.iter().map(step).collect(),
        };
        let mut nodes: Vec<Node> = graph.into_iter().map(node).collect();
        nodes[1].repeats = Some(Box::new(label));
        Certificate {
            slice: whole(cfa),
            terms: self.terms,
            frames: Vec::new(),
            nodes,
            contracts: Vec::new(),
            explored: None,
        }
    }
}

/// The certificate that says of all `q` below `i` that their cell is 7.
fn right(cfa: &Cfa) -> Certificate {
    let mut said = Said::new(cfa);
    let (i, index) = (said.i, said.index());
    let body = said.holds(i, BvCmp::Ult, 7);
    said.certificate(cfa, vec![ForAll { index, body }])
}

#[test]
fn what_a_loop_wrote_is_known_after_it() {
    let cfa = program();
    check(&cfa, &right(&cfa)).expect("a proof");
}

#[test]
fn bent_conditions_are_rejected() {
    let cfa = program();
    let bent: [&dyn Fn(&mut Said) -> Term; 4] = [
        // The cell of the next iteration.
        &|said| said.holds(said.i, BvCmp::Ule, 7),
        // Another value.
        &|said| said.holds(said.i, BvCmp::Ult, 8),
        // What is still to be written.
        &|said| {
            let all = said.terms.int(16, 1000);
            said.holds(all, BvCmp::Ult, 7)
        },
        // Less than what is needed.
        &|said| {
            let some = said.terms.int(16, 1);
            let but_last = said.terms.sub(said.i, some);
            said.holds(but_last, BvCmp::Ult, 7)
        },
    ];
    for body in bent {
        let mut said = Said::new(&cfa);
        let (index, body) = (said.index(), body(&mut said));
        rejected(&cfa, &said.certificate(&cfa, vec![ForAll { index, body }]));
    }
    let said = Said::new(&cfa);
    assert!(rejected(&cfa, &said.certificate(&cfa, Vec::new())).contains("has no successor"));
}

#[test]
fn only_the_index_may_be_a_symbol() {
    let cfa = program();
    let mut said = Said::new(&cfa);
    let (i, index) = (said.i, said.terms.fresh_sym("other", Sort::Bv(16)));
    let body = said.holds(i, BvCmp::Ult, 7);
    assert!(rejected(&cfa, &said.certificate(&cfa, vec![ForAll { index, body }])).contains("names a symbol"));
    let mut said = Said::new(&cfa);
    let body = said.holds(i, BvCmp::Ult, 7);
    let index = SymId(1_000_000);
    assert!(rejected(&cfa, &said.certificate(&cfa, vec![ForAll { index, body }])).contains("cannot be an index"));
}

#[test]
fn they_survive_the_way_through_text() {
    let cfa = program();
    let written = text::write(&cfa, &right(&cfa));
    assert!(written.contains("\n  forall s0 t"), "{written}");
    let again = text::read(&written, &cfa).expect("a certificate");
    check(&cfa, &again).expect("a proof");
    assert_eq!(text::write(&cfa, &again), written);
}
