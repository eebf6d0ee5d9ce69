//! Weaving: what becomes of a small raw CFA, and what is said of conditions that cannot be evaluated.
//!
//! ```c
//! unsigned char limit;             // 1
//! int main(void) {                 // 2
//!   void (*p)(int) = f;            // 3
//!   f(7);                          // 4
//!   p(8);                          // 5
//! }
//! ```

use cfa::events::{Events, ObservedCall};
use cfa::validate::validate_raw;
use cfa::{Cfa, EdgeId, FuncId, Op, RawCfa, ValueFormat};
use expect_test::{Expect, expect};
use slicer::automaton::{Woven, parse, weave};

const PROGRAM: &str = r#"cfa 1
pointer_bits 64
entry _start
file 1 "src/a.c"
func _start entry l0 exit l1 library
func main entry l2 exit l3 @1:2:0
func f entry l4 exit l5 params (f.arg0)
object |@f| function f size 1 align 16 constant
object limit global size 1 align 1 @1:1:0
part limit 0 1 "limit" unsigned
var mem mem64x8
var f.arg0 bv32
var |main::p| bv64 of main
in _start
  l0 -> l11: mem := (write mem &limit 0:8)
  l11 -> l6: call main
  l6 -> l1: skip
in main
  l2 -> l7: |main::p| := &|@f| @1:3:2
  l7 -> l8: skip @1:4:2
  l8 -> l9: f.arg0 := 7:32 @1:4:2
  l9 -> l10: call f @1:4:2
  l10 -> l3: call_indirect |main::p| (8:32) @1:5:2
in f
  l4 -> l5: skip
"#;

/// The edge with which `which` begins.
fn edge(cfa: &Cfa, which: impl Fn(&Op, u32) -> bool) -> EdgeId {
    cfa.edges.iter_enumerated().find(|(_, e)| which(&e.op, e.span.line)).map(|(e, _)| e).expect("an edge")
}

fn woven(text: &str) -> Result<(Cfa, Woven), String> {
    let mut cfa = cfa::text::parse(PROGRAM).expect("an automaton");
    let seven = cfa.terms.int(32, 7);
    let call = ObservedCall { function: "f".into(), args: vec![Some(seven)] };
    let mut events = Events::default();
    events.calls.insert(edge(&cfa, |op, line| *op == Op::Skip && line == 4), call);
    events.ends.push(edge(&cfa, |op, _| *op == Op::Skip));
    events.functions.insert(FuncId(2), "f".into());
    events.formats.insert("f".into(), vec![Some(ValueFormat::Signed)]);
    let automata = parse(text).expect("automata");
    let woven = weave(&mut cfa, &automata, &events).map_err(|e| e.to_string())?;
    assert_eq!(validate_raw(&RawCfa::new(cfa.clone())), []);
    Ok((cfa, woven))
}

fn check(text: &str, expected: Expect) {
    let (cfa, woven) = woven(text).expect("it can be woven");
    let mut out: String = cfa::text::print(&cfa)
        .lines()
        .filter(|l| l.starts_with("in ") || l.contains("->"))
        .map(|l| format!("{l}\n"))
        .collect();
    for (l, v) in &woven.violations {
        out.push_str(&format!("{l}: {}: {}\n", v.automaton, v.message));
    }
    for (line, event) in &woven.unmatched {
        out.push_str(&format!("line {line} of the automaton: {event} matches nothing\n"));
    }
    expected.assert_eq(&out);
}

#[test]
fn a_call_is_tested_where_it_happens() {
    check(
        "automaton a\nstate S initial\ncall f if $1 > limit -> ERROR \"large\"\ncall g -> STOP",
        expect![[r#"
        in _start
          l0 -> l11: mem := (write mem &limit 0:8)
          l11 -> l6: call main
          l6 -> l1: skip
        in main
          l2 -> l7: |main::p| := &|@f| @1:3:2
          l7 -> l13: skip @1:4:2
          l8 -> l9: f.arg0 := 7:32 @1:4:2
          l9 -> l10: call f @1:4:2
          l12 -> l3: call_indirect |main::p| (8:32) @1:5:2
        in f
          l4 -> l5: skip
        in main
          l10 -> l19: skip @1:5:2
          l13 -> l15: |main::automaton.3| := (read.8 mem &limit) @1:4:2
          l15 -> l16: [(bvult |main::automaton.3| 7:8)] @1:4:2
          l15 -> l17: [(not (bvult |main::automaton.3| 7:8))] @1:4:2
          l16 -> l18: skip @1:4:2
          l17 -> l14: skip @1:4:2
          l14 -> l8: skip @1:4:2
          l19 -> l21: |main::automaton.4| := (read.8 mem &limit) @1:5:2
          l21 -> l22: [(and (= &|@f| |main::p|) (bvult |main::automaton.4| 8:8))] @1:5:2
          l21 -> l23: [(not (and (= &|@f| |main::p|) (bvult |main::automaton.4| 8:8)))] @1:5:2
          l22 -> l24: skip @1:5:2
          l23 -> l20: skip @1:5:2
          l20 -> l12: skip @1:5:2
        l18: a: large
        l24: a: large
        line 4 of the automaton: call g matches nothing
    "#]],
    );
}

#[test]
fn states_are_tested_and_set() {
    check(
        "automaton a\nstate S initial\nline a.c:4 assume limit == 3 -> T\nstate T\nexit -> ERROR\nline 4 -> STOP",
        expect![[r#"
            in _start
              l26 -> l11: mem := (write mem &limit 0:8)
              l11 -> l6: call main
              l6 -> l21: skip
            in main
              l2 -> l12: |main::p| := &|@f| @1:3:2
              l7 -> l8: skip @1:4:2
              l8 -> l9: f.arg0 := 7:32 @1:4:2
              l9 -> l10: call f @1:4:2
              l10 -> l3: call_indirect |main::p| (8:32) @1:5:2
            in f
              l4 -> l5: skip
            in main
              l12 -> l14: [(= |automaton a| 0:8)] @1:4:2
              l12 -> l15: [(not (= |automaton a| 0:8))] @1:4:2
              l14 -> l16: |main::automaton.4| := (read.8 mem &limit) @1:4:2
              l16 -> l17: assume [(= |main::automaton.4| 3:8)] @1:4:2
              l17 -> l13: |automaton a| := 1:8 @1:4:2
              l15 -> l18: [(= |automaton a| 1:8)] @1:4:2
              l15 -> l19: [(not (= |automaton a| 1:8))] @1:4:2
              l18 -> l20: skip @1:4:2
              l19 -> l13: skip @1:4:2
              l13 -> l7: skip @1:4:2
            in _start
              l21 -> l23: [(= |automaton a| 1:8)]
              l21 -> l24: [(not (= |automaton a| 1:8))]
              l23 -> l25: skip
              l24 -> l22: skip
              l22 -> l1: skip
              l0 -> l26: |automaton a| := 0:8
            l25: a: exit in state T
        "#]],
    );
}

#[test]
fn conditions_that_cannot_be_evaluated_are_errors() {
    let error = |event: &str| woven(&format!("automaton a\nstate S initial\n{event} -> ERROR")).expect_err(event);
    assert_eq!(error("call f if $2"), "3: call f: there is no $2: the function has 1 parameters");
    assert_eq!(error("line 4 if limt"), "3: line 4: no variable limt in main(); variables there: limit");
    assert_eq!(error("exit if x"), "3: exit: no variable x in the whole program; variables there: limit");
}
