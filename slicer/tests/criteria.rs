//! Criteria by the words of the source: what they find in a program, and what the user is told where they find nothing.
//!
//! The program is the prepared CFA of
//!
//! ```c
//! extern int input(void);
//! extern void check(int);
//! int total, table[4];
//! struct pair { int left, right; };
//! static int twice(int n) {
//!   return n + n;
//! }
//! int main(void) {
//!   struct pair p = {1, 2};
//!   int i = input();
//!   table[i & 3] = twice(i);
//!   total += p.right;
//!   for (int k = 0; k < i; k++) {
//!     if (k == 7)
//!       break;
//!     total += table[k & 3];
//!   }
//!   check(total);
//!   return total;
//! }
//! ```

use cfa::{Cfa, EdgeId, Op};
use expect_test::{Expect, expect};
use slicer::Criterion;
use slicer::criteria::{of_path, parse, resolve};

const PROGRAM: &str = include_str!("fixtures/criteria.cfa");

fn program() -> Cfa {
    cfa::text::parse(PROGRAM).expect("an automaton")
}

fn show(cfa: &Cfa, criterion: &Criterion) -> String {
    let operation = |e: &EdgeId| match &cfa.edges[*e].op {
        Op::Skip => cfa.external_calls.get(e).map_or("skip".into(), |name| format!("call {name}")),
        Op::Call(f) => format!("call {}", cfa.funcs[*f].name),
        Op::Assume { cond, .. } => format!("[{}]", cfa.show(*cond)),
        Op::Input { var, .. } => format!("{} := ?", cfa.vars[*var].name),
        op => op.written().iter().map(|v| format!("{} := ...", cfa.vars[*v].name)).collect(),
    };
    let line = cfa.locs[criterion.at].out.iter().map(|e| cfa.edges[*e].span.line).max().unwrap_or(0);
    let edges = criterion.edges.iter().map(operation);
    let vars = criterion.vars.iter().map(|v| format!("the value of {}", cfa.vars[*v].name));
    let bytes = criterion.bytes.iter();
    let bytes = bytes.map(|(v, b)| format!("{} from {} to {}", cfa.vars[*v].name, b.first, b.last));
    let what: Vec<String> = edges.chain(vars).chain(bytes).collect();
    format!("{line}: {}\n", if what.is_empty() { "reached".into() } else { what.join(", ") })
}

fn check(text: &str, expected: Expect) {
    let cfa = program();
    let found = parse(text).and_then(|requests| resolve(&cfa, "main", &requests));
    expected.assert_eq(&match found {
        Ok(found) => found.iter().map(|c| show(&cfa, c)).collect(),
        Err(error) => format!("{error}\n"),
    });
}

#[test]
fn calls() {
    check(
        "twice",
        expect![[r#"
        11: call twice, the value of twice.arg0
    "#]],
    );
    check(
        "check, input()",
        expect![[r#"
        18: call check
        10: main::call := ?
    "#]],
    );
    check(
        "main",
        expect![[r#"
        0: call main
    "#]],
    );
    check(
        "main@11:twice()",
        expect![[r#"
        11: call twice, the value of twice.arg0
    "#]],
    );
}

#[test]
fn lines() {
    check(
        "14",
        expect![[r#"
        14: main::t.7 := ...
        14: [(= main::t.7 7:32)]
        14: [(not (= main::t.7 7:32))]
    "#]],
    );
    check(
        "a.c:12",
        expect![[r#"
        12: main::t.3 := ...
        12: main::t.4 := ...
        12: total := ...
    "#]],
    );
    check(
        "src/a.c:6",
        expect![[r#"
        6: twice::t := ...
        6: twice::t.2 := ...
        6: twice.result := ...
    "#]],
    );
}

#[test]
fn variables() {
    check(
        "16:total",
        expect![[r#"
        16: main::t.10 := ...
        16: total := ...
    "#]],
    );
    check(
        "16:table",
        expect![[r#"
        16: main::t.9 := ...
    "#]],
    );
    check(
        "16:table[2]",
        expect![[r#"
        16: main::t.9 := ...
    "#]],
    );
    check(
        "12:p",
        expect![[r#"
        12: main::t.3 := ...
    "#]],
    );
    check(
        "12:p.right",
        expect![[r#"
        12: main::t.3 := ...
    "#]],
    );
    check(
        "twice@6:n",
        expect![[r#"
        6: twice::t := ...
        6: twice::t.2 := ...
    "#]],
    );
    // Not accessed on the line: the value before it.
    check(
        "18:i",
        expect![[r#"
        18: the value of main::i
    "#]],
    );
    check(
        "18:table,18:table[2]",
        expect![[r#"
        18: mem.table from 65536 to 65551
        18: mem.table from 65544 to 65547
    "#]],
    );
    check(
        ":total",
        expect![[r#"
        12: main::t.4 := ...
        12: total := ...
        16: main::t.10 := ...
        16: total := ...
        18: main::t.12 := ...
        19: main::t.13 := ...
    "#]],
    );
    check(
        "ret",
        expect![[r#"
        0: the value of main.result
    "#]],
    );
}

#[test]
fn what_is_not_there_is_told_with_what_is() {
    check(
        "reach_error",
        expect![[r#"
        criterion 'reach_error': no call of reach_error can be executed; functions called: check, twice, input
    "#]],
    );
    check(
        "chek",
        expect![[r#"
        criterion 'chek': no call of chek can be executed; functions called: check, input, twice
    "#]],
    );
    check(
        "12:twice()",
        expect![[r#"
        criterion '12:twice()': no call of twice there; it is called at src/a.c:11 in main
    "#]],
    );
    check(
        "17",
        expect![[r#"
        criterion '17': line 17 has no code that can be executed; the lines nearest to it: 11, 12, 13, 14, 16, 18, 19, 20
    "#]],
    );
    check(
        "twice@11",
        expect![[r#"
        criterion 'twice@11': line 11 has no code that can be executed; the lines nearest to it: 5, 6
    "#]],
    );
    check(
        "twyce@6",
        expect![[r#"
        criterion 'twyce@6': no function twyce that is called; functions: twice, main
    "#]],
    );
    check(
        "b.c:6",
        expect![[r#"
        criterion 'b.c:6': no file b.c with code that is called; files: src/a.c
    "#]],
    );
    check(
        "16:tabel",
        expect![[r#"
        criterion '16:tabel': no variable tabel on line 16; variables there: table, total, i, k, p.right
    "#]],
    );
    check(
        "6:k",
        expect![[r#"
        criterion '6:k': no variable k on line 6; variables there: n, table, total
    "#]],
    );
    check(
        ":i",
        expect![[r#"
        criterion ':i': no global variable i that the program accesses; global variables: table, total
    "#]],
    );
}

#[test]
fn the_assume_edges_of_a_path() {
    let cfa = program();
    let path: Vec<EdgeId> = cfa.edges.ids().collect();
    let found: String = of_path(&cfa, &path).iter().map(|c| show(&cfa, c)).collect();
    expect![[r#"
        13: [(bvslt main::t.5 main::t.6)]
        13: [(not (bvslt main::t.5 main::t.6))]
        14: [(= main::t.7 7:32)]
        14: [(not (= main::t.7 7:32))]
    "#]]
    .assert_eq(&found);
    assert!(of_path(&cfa, &[path[0], path[0]]).is_empty());
}
