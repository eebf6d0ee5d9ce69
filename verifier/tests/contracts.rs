//! Contracts of recursive functions are found, and what is wrong is not proved.

use cfa::Cfa;
use cfa::text::parse;
use cfa::view::Slice;
use std::sync::Arc;
use std::time::{Duration, Instant};
use verifier::evidence::outcome::Outcome;
use verifier::program::{Budget, Program};
use verifier::strategies::k_induction;

/// Functions of one or two parameters and the calls of a main function: the text of a CFA.
struct Source {
    declarations: String,
    edges: String,
}

impl Source {
    /// A function `f` of `p` (and `q`) with result `r`, from `l2` to `l3`, whose edges are `body`; `main` calls it with inputs `x` and `y` under
    /// `condition`, and reaches the target unless `claim` holds.
    fn new(condition: &str, claim: &str, body: &str) -> Source {
        let declarations = "cfa 1\npointer_bits 64\nentry main\nfunc main entry l0 exit l1\n\
            func f entry l2 exit l3 params (p q) result r\n\
            var p bv32\nvar q bv32\nvar r bv32\nvar count bv32\nvar x bv32 of main\nvar y bv32 of main\n\
            var n bv32 of f\nvar m bv32 of f\nvar k bv32 of f\n";
        let edges = format!(
            "in main\nl0 -> l100: x := ? program \"nondet\"\nl100 -> l101: y := ? program \"nondet\"\n\
            l101 -> l102: [{condition}]\nl102 -> l103: p := x, q := y\nl103 -> l104: count := 0:32\nl104 -> l105: call f\n\
            l105 -> l1: [{claim}]\nl105 -> l106: [(not {claim})]\ntarget l106\n\
            in f\nl2 -> l110: n := p\nl110 -> l111: m := q\n{body}\n"
        );
        Source { declarations: declarations.into(), edges }
    }

    fn cfa(&self) -> Cfa {
        parse(&format!("{}{}", self.declarations, self.edges)).expect("a program")
    }

    /// What induction says: the number of contracts of an accepted proof, or none.
    fn contracts(&self) -> Option<usize> {
        let cfa = Arc::new(self.cfa());
        let program = Program::new(cfa.clone(), Slice::whole(&cfa));
        let budget = Budget::until(Instant::now() + Duration::from_secs(600));
        let make = |limits| smt::standard(limits);
        let options = k_induction::Options { base: false, last_k: 3, ..k_induction::Options::default() };
        let outcome = k_induction::run(&program, options, &make, budget, &mut k_induction::Statistics::default());
        match outcome.expect("an answer") {
            Outcome::Proof(certificate) => {
                let mut solver = smt::standard(budget.limits());
                let checked = checker::check(&cfa, &certificate, &mut *solver, Some(budget.deadline));
                checked.unwrap_or_else(|e| panic!("{e}\n{}", checker::text::write(&cfa, &certificate)));
                Some(certificate.contracts.len())
            }
            Outcome::Unknown(_) => None,
            Outcome::Alarm(_) => panic!("induction refutes nothing"),
        }
    }
}

fn proved(condition: &str, claim: &str, body: &str) {
    assert_eq!(Source::new(condition, claim, body).contracts(), Some(1), "{claim}");
}

fn not_proved(condition: &str, claim: &str, body: &str) {
    assert_eq!(Source::new(condition, claim, body).contracts(), None, "{claim}");
}

/// `n == 0 ? 0 : f(n - 1) + 1`
const IDENTITY: &str = "l111 -> l112: [(= n 0:32)]\nl112 -> l3: r := 0:32\nl111 -> l113: [(not (= n 0:32))]\n\
    l113 -> l114: p := (bvsub n 1:32)\nl114 -> l115: call f\nl115 -> l3: r := (bvadd r 1:32)";

#[test]
fn equations_between_arguments_and_results() {
    proved("true", "(= r x)", IDENTITY);
    not_proved("true", "(= r (bvadd x 1:32))", IDENTITY);
    // f(n, m) = n == 0 ? m : f(n - 1, m + 1)
    let sum = "l111 -> l112: [(= n 0:32)]\nl112 -> l3: r := m\nl111 -> l113: [(not (= n 0:32))]\n\
        l113 -> l114: p := (bvsub n 1:32), q := (bvadd m 1:32)\nl114 -> l3: call f";
    proved("true", "(= r (bvadd x y))", sum);
    not_proved("true", "(= r (bvsub x y))", sum);
    // f(n, m) = n == 0 ? 0 : f(n - 1, m) + m
    let product = sum.replace("r := m", "r := 0:32").replace(", q := (bvadd m 1:32)", "");
    let product = product
        .replace("l114 -> l3: call f", "l114 -> l115: q := m\nl115 -> l116: call f\nl116 -> l3: r := (bvadd r m)");
    proved("true", "(= r (bvmul x y))", &product);
}

#[test]
fn ranges_of_results() {
    // A result above 3 is cut down to 3.
    let capped = IDENTITY.replace("l115 -> l3: r := (bvadd r 1:32)", "l115 -> l116: r := (bvadd r 1:32)")
        + "\nl116 -> l3: [(bvsle r 3:32)]\nl116 -> l117: [(not (bvsle r 3:32))]\nl117 -> l3: r := 3:32";
    proved("true", "(not (= r 5:32))", &capped);
    not_proved("true", "(not (= r 2:32))", &capped);
}

/// `n > 100 ? n - 10 : f(f(n + 11))`
const NESTED: &str = "l111 -> l112: [(bvslt 100:32 n)]\nl112 -> l3: r := (bvsub n 10:32)\nl111 -> l113: [(not (bvslt 100:32 n))]\n\
    l113 -> l114: p := (bvadd n 11:32)\nl114 -> l115: call f\nl115 -> l116: p := r\nl116 -> l3: call f";

#[test]
fn cases_that_the_program_tells_apart() {
    proved("true", "(or (= r 91:32) (and (bvslt 101:32 x) (= r (bvsub x 10:32))))", NESTED);
    not_proved("true", "(= r 91:32)", NESTED);
}

#[test]
fn powers_of_two() {
    // f(n) = n == 1 ? 1 : 2 f(n - 1) + 1
    let tower = IDENTITY.replace("(= n 0:32)", "(= n 1:32)").replace("r := 0:32", "r := 1:32");
    let tower = tower.replace("(bvadd r 1:32)", "(bvadd (bvadd r r) 1:32)");
    proved("(and (bvsle 1:32 x) (bvsle x 31:32))", "(bvsle x r)", &tower);
    not_proved("(and (bvsle 1:32 x) (bvsle x 31:32))", "(bvslt x r)", &tower);
    // f(n) { if (n != 0) { count++; f(n - 1); f(n - 1); } }
    let moves = "l111 -> l112: [(= n 0:32)]\nl112 -> l3: skip\nl111 -> l113: [(not (= n 0:32))]\n\
        l113 -> l114: count := (bvadd count 1:32)\nl114 -> l115: p := (bvsub n 1:32)\nl115 -> l116: call f\n\
        l116 -> l117: p := (bvsub n 1:32)\nl117 -> l3: call f";
    proved("(bvult x 20:32)", "(= (bvadd count 1:32) (bvshl 1:32 x))", moves);
    not_proved("(bvult x 20:32)", "(= count (bvshl 1:32 x))", moves);
}

/// What is said of the first argument's values: `f(0, m) = m + 1, f(n, 0) = f(n - 1, 1), f(n, m) = f(n - 1, f(n, m - 1))`.
const ACKERMANN: &str = "l111 -> l112: [(= n 0:32)]\nl112 -> l3: r := (bvadd m 1:32)\nl111 -> l113: [(not (= n 0:32))]\n\
    l113 -> l114: [(= m 0:32)]\nl114 -> l115: p := (bvsub n 1:32), q := 1:32\nl115 -> l3: call f\n\
    l113 -> l116: [(not (= m 0:32))]\nl116 -> l117: p := n, q := (bvsub m 1:32)\nl117 -> l118: call f\n\
    l118 -> l119: p := (bvsub n 1:32), q := r\nl119 -> l3: call f";

#[test]
fn values_that_decide() {
    let small = "(and (bvule x 2:32) (bvule y 23:32))";
    proved(small, "(or (not (and (= x 2:32) (= y 2:32))) (= r 7:32))", ACKERMANN);
    not_proved(small, "(or (not (and (= x 2:32) (= y 2:32))) (= r 8:32))", ACKERMANN);
}

#[test]
fn preconditions() {
    // Greatest common divisor by subtraction, of positive numbers.
    let gcd = "l111 -> l112: [(= n m)]\nl112 -> l3: r := n\nl111 -> l113: [(not (= n m))]\n\
        l113 -> l114: [(bvslt m n)]\nl114 -> l115: p := (bvsub n m)\nl115 -> l116: q := m\nl116 -> l3: call f\n\
        l113 -> l117: [(not (bvslt m n))]\nl117 -> l118: q := (bvsub m n)\nl118 -> l119: p := n\nl119 -> l3: call f";
    proved("(and (bvslt 0:32 x) (bvslt 0:32 y))", "(bvslt 0:32 r)", gcd);
    not_proved("(and (bvslt 0:32 x) (bvslt 0:32 y))", "(bvslt 1:32 r)", gcd);
}

/// Even and odd numbers by each other: one of the two functions has a contract, the other is executed in place.
#[test]
fn functions_in_a_cycle() {
    let even = |claim: &str| {
        let mut source = Source::new(
            "true",
            claim,
            "l111 -> l112: [(= n 0:32)]\nl112 -> l3: r := 0:32\nl111 -> l113: [(not (= n 0:32))]\n\
            l113 -> l114: p := (bvsub n 1:32)\nl114 -> l3: call g\n\
            in g\nl4 -> l120: i := p\nl120 -> l121: [(= i 0:32)]\nl121 -> l5: r := 1:32\nl120 -> l122: [(not (= i 0:32))]\n\
            l122 -> l123: p := (bvsub i 1:32)\nl123 -> l5: call f",
        );
        source.declarations =
            source.declarations.replace("var p bv32\n", "func g entry l4 exit l5 params (p) result r\nvar p bv32\n")
                + "var i bv32 of g\n";
        source.contracts()
    };
    assert_eq!(even("(bvule r 1:32)"), Some(1));
    // f answers 0 for 0, and otherwise what g says of the number before, which is 1 for 0.
    assert_eq!(even("(= r (bvand x 1:32))"), Some(1));
    assert_eq!(even("(not (= r (bvand x 1:32)))"), None);
    assert_eq!(even("(bvule r 0:32)"), None);
}
