//! The documents' examples, by explicit values and by symbolic execution; and what the engine promises about its searches.

use crate::support::documents::*;
use crate::support::*;
use cfa::bv::{Bv, BvOp};
use cfa::eval::{Value, eval_bool};
use cfa::pixel_tree::Mark;
use cfa::term::Leaf;
use cfa::{AssumeKind, LocId, Op, Sort, Term, Unsupported};
use verifier::domains::PartKind;
use verifier::domains::intervals::Interesting;
use verifier::domains::symbolic::Cover;
use verifier::evidence::outcome::Outcome;
use verifier::evidence::replay::replay;
use verifier::program::Program;
use verifier::reach::pictures::Drawing;
use verifier::reach::waitlist::Order;
use verifier::refine::slicing::SlicingCriterion;
use verifier::refine::{self, slicing};
use verifier::strategies::composition::{Composition, Direction};

const INT: Sort = Sort::Bv(32);
const ORDERS: [Order; 3] = [Order::BREADTH_FIRST, Order::DEPTH_FIRST, Order::REVERSE_POSTORDER];

#[test]
fn listing_1_is_true_by_symbolic_execution_alone() {
    let program = listing_1();
    for cover in [Cover::Terms, Cover::Renaming] {
        assert_eq!(by(&program, &Composition { cover, ..Composition::symex() }).0, Verdict::True, "{cover:?}");
    }
    let imprecise = Verdict::Unknown("explicit values are too imprecise".into());
    assert_eq!(by(&program, &Composition::value()).0, imprecise);
}

/// What is interesting keeps states apart [Dangl 2013, 3.2.1.3]: the variable of a condition close to the target, or the condition itself.
#[test]
fn interesting_variables_and_predicates_keep_states_apart() {
    let program = source(
        "int mode = 3; int x = 7; int c = input(); int n = input(); if (c == 1) { mode = 4; x = 5; } \
         int i = 0; while (i < n) i = i + 1; \
         if (mode == 4) { if (x != 5) error(); }",
    );
    for (variables, predicates, is_proved) in [(0, 0, false), (1, 0, true), (2, 0, true), (0, 2, true)] {
        let interesting = Interesting { variables, predicates };
        let (verdict, _) = by(&program, &Composition { interesting, ..Composition::invariants() });
        assert_eq!(verdict == Verdict::True, is_proved, "{interesting:?}: {verdict:?}");
    }
}

#[test]
fn a_counter_is_true_in_every_order() {
    for order in ORDERS {
        let (verdict, statistics) = by(&counter(2), &Composition { order, ..Composition::value() });
        assert_eq!(verdict, Verdict::True);
        assert_eq!(statistics.solver_calls, 0);
        let (verdict, statistics) = by(&counter(2), &Composition { order, ..Composition::symex() });
        assert_eq!(verdict, Verdict::True);
        assert_eq!(statistics.solver_calls, 0);
    }
    // Labels now and then, for longer paths.
    assert_eq!(by(&counter(1_000), &Composition::value()).0, Verdict::True);
    assert_eq!(by(&counter(1_000), &Composition::symex()).0, Verdict::True);
}

/// The running example, with a first value of x that is known.
fn running_example_from(start: Option<i64>) -> Program {
    let first = |k| RUNNING.replace("x := ? program \"nondet\"", &format!("x := {k}:64"));
    start.map_or_else(running_example, |k| automaton(&first(k)))
}

#[test]
fn the_running_example_has_no_end_for_symbolic_execution() {
    for max_states in [500, 2_000] {
        let options = Composition { max_states, ..Composition::symex() };
        let (verdict, statistics) = by(&running_example(), &options);
        assert_eq!(verdict, Verdict::Unknown(format!("{max_states} states")));
        assert!(statistics.states >= max_states as u64);
    }
}

#[test]
fn explicit_values_exclude_the_running_examples_error() {
    // Neither x nor w is known, so that the first loop is left at once, and y = 1 excludes the error.
    let (verdict, statistics) = by(&running_example(), &Composition { max_states: 100, ..Composition::value() });
    // The last loop counts y up, without end.
    assert_eq!(verdict, Verdict::Unknown("100 states".into()));
    assert_eq!(statistics.targets, 0);
}

/// [Lemberger 2018, Fig. 14]: CEGAR alone. The first refinement tracks y and at most the condition of the error; then the last loop has no end.
#[test]
fn the_running_example_has_no_end_for_refinement_alone() {
    for max_states in [500, 2_000] {
        let refine = Some(refine::Options::default());
        let explicitly = Composition { refine, max_states, ..Composition::value() };
        let symbolically = Composition { refine, max_states, ..Composition::symex() };
        let verdicts = [by(&running_example(), &explicitly), by(&running_example(), &symbolically)];
        for (verdict, statistics) in verdicts {
            assert_eq!(verdict, Verdict::Unknown(format!("{max_states} states")));
            assert_eq!((statistics.refinements, statistics.stuck), (1, 0), "{statistics}");
            assert_eq!((statistics.tracked_vars, statistics.tracked_conditions), (1, 0), "{statistics}");
        }
    }
}

/// [Lemberger 2018, Fig. 12]: slicing alone unrolls the first loop. (Where x is an input, our less-or-equal covers the second round by the first,
/// since x - 1 is one of all values; S only renames symbols.)
#[test]
fn the_running_example_has_no_end_for_slicing_alone() {
    for max_states in [500, 2_000] {
        let slicing = Some(slicing::Options::default());
        let options = Composition { slicing, max_states, ..Composition::symex() };
        let (verdict, statistics) = by(&running_example_from(Some(1_000_000)), &options);
        assert_eq!(verdict, Verdict::Unknown(format!("{max_states} states")));
        assert_eq!(statistics.slices, 1, "{statistics}");
        assert_eq!(by(&running_example(), &options).0, Verdict::True);
    }
}

/// [Lemberger 2018, Fig. 22]: slicing and refinement together prove the running example, with few states.
#[test]
fn the_running_example_is_true_by_slicing_and_refinement() {
    let (refine, slicing) = (Some(refine::Options::default()), Some(slicing::Options::default()));
    let explicitly = Composition { refine, slicing, ..Composition::value() };
    let symbolically = Composition { refine, slicing, ..Composition::symex() };
    for start in [None, Some(1_000_000)] {
        let program = running_example_from(start);
        for (verdict, statistics) in [by(&program, &explicitly), by(&program, &symbolically)] {
            assert_eq!(verdict, Verdict::True);
            assert_eq!((statistics.slices, statistics.tracked_vars, statistics.tracked_conditions), (1, 1, 0));
            assert!(statistics.states < 15, "{statistics}");
        }
    }
}

/// [Lemberger 2018, Fig. 24]: each graph of the running example's states as a picture, finished or not.
#[test]
fn graphs_of_states_are_drawn() {
    let (refine, slicing) = (Some(refine::Options::default()), Some(slicing::Options::default()));
    let both = Composition { refine, slicing, ..Composition::symex() };
    let (verdict, finite) = drawn(&running_example(), &both);
    assert_eq!(verdict, Verdict::True);
    assert!(finite.tree.count(Mark::Covered) > 0 && finite.tree.count(Mark::Target) == 0);
    for part in ["digraph arg {", "main l5, line 5", "y = 1", "->", "color=\"#2ea043\""] {
        assert!(finite.dot().contains(part), "{part}: {}", finite.dot());
    }
    let alone = Composition { max_states: 3_000, ..Composition::symex() };
    let (_, endless) = drawn(&running_example(), &alone);
    let vertices = |drawing: &Drawing| drawing.tree.widths().map(u64::from).sum::<u64>();
    assert!(vertices(&endless) >= 3_000 && vertices(&finite) < 15);
    // All of them in the picture, some of them in the text.
    assert!(endless.dot().contains("further nodes"), "{}", endless.dot());
    let (_, begun) = drawn(&running_example(), &Composition { max_states: 100, ..alone });
    assert!(begun.dot().contains(" style=dashed];"), "nodes that wait: {}", begun.dot());
    let (verdict, error) = drawn(&unbounded_recursion(5), &Composition::symex());
    assert_eq!((verdict, error.tree.count(Mark::Target)), (Verdict::False, 1));
    assert!(error.dot().contains("fillcolor=\"#d73a49\"") && error.dot().contains(" callers"), "{}", error.dot());
}

/// [Lemberger 2018, Fig. 24b]: slicing alone unrolls the first loop, row after row, and the picture has no end. (From a value of x that is
/// known, as above: then each row is one state.)
#[test]
fn slicing_alone_draws_row_after_row() {
    let slicing = Some(slicing::Options::default());
    for max_states in [100, 200] {
        let options = Composition { slicing, max_states, ..Composition::symex() };
        let (verdict, drawing) = drawn(&running_example_from(Some(1_000_000)), &options);
        assert_eq!(verdict, Verdict::Unknown(format!("{max_states} states")));
        let widths: Vec<u32> = drawing.tree.widths().collect();
        assert!(widths.len() >= max_states && widths.iter().all(|w| *w == 1), "{widths:?}");
        assert_eq!(drawing.tree.count(Mark::Covered) + drawing.tree.count(Mark::Target), 0);
    }
}

/// A branch is excluded by what is known before a loop, which is not explored again for it.
#[test]
fn refinement_is_lazy() {
    let inputs = "y = input();\n".repeat(100);
    let program =
        source(&format!("int y; int n = input();\n{inputs}int x = 1; while (y < n) y = y + 1; if (x == 0) error();"));
    let refine = Some(refine::Options::default());
    for (verdict, statistics) in [
        by(&program, &Composition { refine, ..Composition::value() }),
        by(&program, &Composition { refine, ..Composition::symex() }),
    ] {
        assert_eq!(verdict, Verdict::True);
        assert_eq!((statistics.refinements, statistics.tracked_vars), (1, 1), "{statistics}");
        assert!(statistics.pruned < 10 && statistics.states < 120, "{statistics}");
    }
}

/// A path with two conflicts: one about the counter of a loop, one about two copies. Predicates about the copies exclude all such paths.
#[test]
fn predicates_are_about_the_cheaper_conflict() {
    let program = source(
        "int a = input(); int b = a; int i = 0; while (i < 1000) i = i + 1; if (i != 1000) { if (a != b) error(); }",
    );
    let (verdict, statistics) = by(&program, &Composition::predicate());
    assert_eq!(verdict, Verdict::True);
    assert!(statistics.refinements <= 3, "{statistics}");
}

/// A path with two conflicts: one about the counter of a loop, one about a flag. Choosing the flag, the loop is not unrolled.
#[test]
fn refinement_prefers_what_no_loop_counts() {
    let program = source(
        "int flag = 0; int i = 0; while (i < 5000) i = i + 1;
         if (i == 5000) return; if (flag == 1 && i != 5000) error();",
    );
    let refine = |prefixes| Some(refine::Options { prefixes, ..refine::Options::default() });
    for (prefixes, unrolled) in [(1, true), (4, false)] {
        let options = Composition { refine: refine(prefixes), ..Composition::value() };
        let (verdict, statistics) = by(&program, &options);
        assert_eq!(verdict, Verdict::True);
        assert_eq!(statistics.states > 5_000, unrolled, "{statistics}");
        let options = Composition { refine: refine(prefixes), ..Composition::symex() };
        let (verdict, statistics) = by(&program, &options);
        assert_eq!(verdict, Verdict::True);
        assert_eq!(statistics.states > 5_000, unrolled, "{statistics}");
    }
}

/// [Lemberger 2015, Listing 1] needs values and constraints together.
#[test]
fn listing_1_is_true_by_refinement() {
    let refine = Some(refine::Options::default());
    let (verdict, statistics) = by(&listing_1(), &Composition { refine, ..Composition::symex() });
    assert_eq!(verdict, Verdict::True);
    assert_eq!(statistics.tracked_vars, 2, "{statistics}");
    let imprecise = Verdict::Unknown("explicit values are too imprecise".into());
    assert_eq!(by(&listing_1(), &Composition { refine, ..Composition::value() }).0, imprecise);
}

/// What a term says may be exponentially longer than the term: pictures show its beginning.
#[test]
fn the_text_of_a_term_that_shares_its_parts_has_a_beginning() {
    let mut cfa = running_example().cfa.as_ref().clone();
    let x = cfa.vars.ids().find(|v| matches!(cfa.vars[*v].sort, Sort::Bv(_))).expect("a variable");
    let x = cfa.terms.var(x, cfa.vars[x].sort);
    let mut t = x;
    for _ in 0..200 {
        t = cfa.terms.bv_op(BvOp::Mul, t, t);
    }
    let text = cfa.show_start(&cfa.terms, t, 100);
    assert!((101..5_000).contains(&text.len()) && text.starts_with("(bvmul "), "{text}");
    assert_eq!(cfa.show_start(&cfa.terms, x, 100), cfa.show(x));
}

/// The locations after the branches of the execution to which the alarm of a composition is replayed.
fn branches_taken(program: &Program, composition: &Composition) -> Vec<u32> {
    let Ok(Outcome::Alarm(candidate)) = explored(program, composition).outcome else { panic!("no alarm") };
    let found = replay(program, &candidate, patient()).expect("an execution");
    assert_eq!(found.target, LocId(5));
    let edges = found.steps.iter().map(|step| &program.cfa.edges[step.edge()]);
    edges.filter(|edge| matches!(edge.op, Op::Assume { .. })).map(|edge| edge.to.0).collect()
}

/// [Lemberger 2018, Fig. 21]: the error is after two branches, one of which is infeasible.
#[test]
fn an_error_after_an_infeasible_branch_is_found() {
    let figure = automaton(FIGURE_21);
    assert_eq!(by(&figure, &Composition::value()).0, Verdict::False);
    assert_eq!(by(&figure, &Composition::symex()).0, Verdict::False);
    // The path through l2 is longer, so that the path through l3, which is infeasible, is the first one. In the figure, they are equal.
    let longer = automaton(&FIGURE_21.replace("l2 -> l4: skip", "l2 -> l7: skip\n  l7 -> l4: skip"));
    // Target-path slicing refutes the infeasible path, adds what excludes it (x := 0 and [x < 0]), and finds the other one; so does slicing
    // for the conflict, which is the only condition here. Target-location slicing adds the call of the error only, and believes the
    // infeasible path; the replay follows the other one.
    let (conflict, path, location) =
        (SlicingCriterion::Conflict, SlicingCriterion::TargetPath, SlicingCriterion::TargetLocation);
    for (program, criterion, targets, slice_sizes) in [
        (&figure, path, 1, vec![0]),
        (&longer, path, 2, vec![0, 2]),
        (&figure, conflict, 1, vec![0]),
        (&longer, conflict, 2, vec![0, 2]),
        (&figure, location, 2, vec![0, 1]),
        (&longer, location, 2, vec![0, 1]),
    ] {
        let slicing = Some(slicing::Options { criterion, ..slicing::Options::default() });
        let composition = Composition { slicing, ..Composition::symex() };
        let (verdict, statistics) = by(program, &composition);
        assert_eq!((verdict, statistics.targets), (Verdict::False, targets), "{criterion:?}: {statistics}");
        assert_eq!(statistics.refinements, targets - 1, "{criterion:?}: {statistics}");
        assert_eq!(statistics.slice_sizes, slice_sizes, "{criterion:?}");
        assert_eq!(branches_taken(program, &composition), [2], "{criterion:?}");
    }
}

/// [Kreppel 2019, Example 2]: backward from the error, what must hold is true, a = 2, a = 1, false; so the error is unreachable.
#[test]
fn an_assignment_that_reads_its_variable_is_followed_backward() {
    let program = automaton(KREPPEL_2);
    for composition in [Composition::value(), Composition::symex(), Composition::invariants()] {
        assert_eq!(by(&program, &composition).0, Verdict::True);
    }
    let mut cfa = (*program.cfa).clone();
    let mut states = vec![cfa.terms.tt()];
    for e in [2, 1, 0].map(cfa::EdgeId) {
        let after = *states.last().expect("a state");
        states.push(match cfa.edges[e].op.clone() {
            Op::Assume { cond, .. } => cfa.terms.and(after, cond),
            Op::Assign(list) => cfa.terms.substitute(after, &mut Default::default(), &mut |_, leaf| {
                list.iter().find(|(v, _)| leaf == Leaf::Var(*v)).map(|(_, value)| *value)
            }),
            other => panic!("{other:?}"),
        });
    }
    let holds = |t: Term, a: u64| eval_bool(&cfa.terms, t, &mut |_| Some(Value::Bv(Bv::new(32, a)))) == Some(true);
    let values: Vec<Vec<u64>> = states.iter().map(|t| (0..4).filter(|a| holds(*t, *a)).collect()).collect();
    assert_eq!(values, [vec![0, 1, 2, 3], vec![2], vec![1], vec![]]);
    // The other side: the value that a has.
    let reached = KREPPEL_2.replace("2:32 a", "4:32 a");
    assert_eq!(by(&automaton(&reached), &Composition::value()).0, Verdict::False);
}

/// [Kreppel 2019, Example 3]: a variable that is written through a pointer.
#[test]
fn a_variable_is_written_through_a_pointer() {
    for (last, expected) in [(0, Verdict::False), (7, Verdict::True)] {
        let program = kreppel_3(last);
        for composition in all_ways() {
            assert_eq!(by(&program, &composition).0, expected, "{last}");
        }
    }
}

/// A target that is reached by an infeasible path first.
#[test]
fn a_spurious_path_does_not_hide_a_real_one() {
    let program =
        source("int a = input(); int b = input(); if (a < b && b < a) error(); a = a + 7; if (a == b) error();");
    for order in ORDERS {
        let (verdict, statistics) = by(&program, &Composition { order, ..Composition::value() });
        assert_eq!(verdict, Verdict::False);
        assert_eq!(statistics.targets, 2);
    }
    assert_eq!(by(&program, &Composition::symex()).0, Verdict::False);
}

/// `f(n)` returns `n` by recursion, with a local that must survive the inner call.
fn recursion(n: i64, expected: i64) -> Program {
    source(&format!(
        "int arg; int result;
         f() {{
             int m = arg;
             if (m == 0) {{ result = 0; return; }}
             arg = m - 1;
             f();
             result = result + m - (m - 1); // m is read after the call
         }}
         arg = {n}; f(); if (result != {expected}) error();"
    ))
}

#[test]
fn recursion_keeps_locals_apart() {
    for n in [0, 1, 7, 100] {
        assert_eq!(by(&recursion(n, n), &Composition::value()).0, Verdict::True);
        assert_eq!(by(&recursion(n, n), &Composition::symex()).0, Verdict::True);
        assert_eq!(by(&recursion(n, n + 1), &Composition::value()).0, Verdict::False);
        assert_eq!(by(&recursion(n, n + 1), &Composition::symex()).0, Verdict::False);
    }
}

/// Explicit values, symbolic execution, and both side by side, with every way of refining them. (Not decision diagrams, which have no locals of
/// recursive functions; and not backward, where other calls are deep.)
fn all_ways() -> Vec<Composition> {
    let names = Composition::PRESETS.iter().filter_map(|name| Composition::named(name));
    let forward = |c: &Composition| c.direction == Direction::Forward && !c.parts.contains(&PartKind::Bdd);
    let both = Composition::of_parts(vec![PartKind::Value, PartKind::Symbolic]);
    names.filter(forward).chain([both]).collect()
}

#[test]
fn a_call_stack_that_is_too_deep_is_unknown() {
    let unknown = Verdict::Unknown("call stack deeper than 10".into());
    for composition in all_ways() {
        assert_eq!(by(&recursion(50, 50), &Composition { max_depth: 10, ..composition }).0, unknown);
    }
}

/// A bound that no execution reaches is no reason for doubt.
#[test]
fn a_bound_of_the_call_stack_that_is_never_reached_does_not_matter() {
    let unknown = Verdict::Unknown("call stack deeper than 9".into());
    for composition in all_ways() {
        // The calls for 9, 8, ... 0.
        assert_eq!(by(&recursion(9, 9), &Composition { max_depth: 10, ..composition.clone() }).0, Verdict::True);
        assert_eq!(by(&recursion(9, 10), &Composition { max_depth: 10, ..composition.clone() }).0, Verdict::False);
        assert_eq!(by(&recursion(9, 9), &Composition { max_depth: 9, ..composition }).0, unknown);
    }
}

/// `f() { if (input()) f(); }`: how deep it goes is up to the input. Then a test of what nobody wrote.
fn unbounded_recursion(wrong: i64) -> Program {
    source(&format!("f() {{ if (input()) f(); }} int x = 5; f(); if (x == {wrong}) error();"))
}

/// `f(n) { if (n != 0) f(n - 1); }`, called with 5; then a test of what nobody else wrote.
fn recursion_beside(wrong: i64) -> Program {
    source(&format!(
        "int n; f() {{ if (n == 0) return; n = n - 1; f(); }} int x = 5; n = 5; f(); if (x == {wrong}) error();"
    ))
}

/// Recursion that only imprecise states take for ever is not followed far before a refinement excludes it.
#[test]
fn recursion_is_refined_before_it_is_deep() {
    let refine = Some(refine::Options::default());
    for composition in [Composition::value(), Composition::symex()] {
        let composition = Composition { refine, ..composition };
        let (verdict, statistics) = by(&recursion_beside(6), &composition);
        assert_eq!(verdict, Verdict::True);
        assert_eq!((statistics.refinements, statistics.tracked_vars), (2, 2), "{statistics}");
        assert!(statistics.steps < 2_000, "{statistics}");
        assert_eq!(by(&recursion_beside(5), &composition).0, Verdict::False);
    }
    // Deep recursion that is real is followed. (Predicates would have to be found for each call.)
    for composition in all_ways() {
        let n = if composition.parts.contains(&PartKind::Predicate) { 12 } else { 300 };
        assert_eq!(by(&recursion(n, n), &composition).0, Verdict::True);
        assert_eq!(by(&recursion(n, n + 1), &composition).0, Verdict::False);
    }
}

/// Where nothing bounds the recursion there is no proof, unless the calls are not in the slice; errors are found all the same.
#[test]
fn recursion_that_nothing_bounds_is_unknown() {
    let unknown = Verdict::Unknown("call stack deeper than 10".into());
    for composition in all_ways() {
        let sliced = composition.slicing.is_some();
        let composition = Composition { max_depth: 10, ..composition };
        let verdict = by(&unbounded_recursion(6), &composition).0;
        assert_eq!(verdict, if sliced { Verdict::True } else { unknown.clone() });
        assert_eq!(by(&unbounded_recursion(5), &composition).0, Verdict::False);
    }
}

/// Something without a model on one path: no proof, but errors on other paths are found.
#[test]
fn unsupported_constructs_are_named_and_do_not_hide_errors() {
    for has_error in [false, true] {
        let mut p = Builder::new(64);
        let a = p.global("a", INT);
        p.input(a);
        let (ta, zero) = (p.var(a), p.int(32, 0));
        let cond = p.less(ta, zero);
        let (yes, no) = p.branch(cond);
        p.at = yes;
        p.step(Op::Unsupported(Box::new(Unsupported::opaque("longjmp"))));
        p.exit();
        p.at = no;
        if has_error {
            let k = p.int(32, 5);
            let wrong = p.terms().eq(ta, k);
            p.error_if(wrong);
        } else {
            let impossible = p.less(ta, zero);
            p.error_if(impossible);
        }
        let program = finished(p);
        let expected = |v: Verdict| {
            if has_error {
                v == Verdict::False
            } else {
                matches!(v, Verdict::Unknown(r) if r.contains("longjmp") || r.contains("imprecise"))
            }
        };
        assert!(expected(by(&program, &Composition::value()).0));
        assert!(expected(by(&program, &Composition::symex()).0));
    }
}

/// Nondeterministic choices that leave nothing behind: paths join again, so that the number of states is linear.
#[test]
fn paths_that_leave_no_trace_are_covered() {
    let choices = "x = input(); if (x < 0) {} else {}\n".repeat(20);
    let program = source(&format!("int x; int n = 0;\n{choices}n = n + 1; if (n != 1) error();"));
    let (verdict, statistics) = by(&program, &Composition::value());
    assert_eq!(verdict, Verdict::True);
    assert!(statistics.states < 150, "{statistics}");
    let (verdict, statistics) = by(&program, &Composition::symex());
    assert_eq!(verdict, Verdict::True);
    assert!(statistics.states < 150, "{statistics}");
}

/// An endless loop over inputs, in which states repeat up to the names of symbols.
#[test]
fn an_endless_loop_over_inputs_is_true_by_renaming() {
    let program =
        source("int a = input(); int b = a + 5; while (1) { if (b - a != 5) error(); a = input(); b = a + 5; }");
    let (verdict, statistics) = by(&program, &Composition::symex());
    assert_eq!(verdict, Verdict::True);
    assert_eq!(statistics.covered, 1, "{statistics}");
}

/// Constraints that fix a value: `if (a == 3) { while (a < 10) a++; if (a != 10) ERROR }`.
#[test]
fn tested_values_are_known() {
    let program = source("int a = input(); if (a != 3) return; while (a < 10) a = a + 1; if (a != 10) error();");
    assert_eq!(by(&program, &Composition::value()).0, Verdict::True);
    assert_eq!(by(&program, &Composition::symex()).0, Verdict::True);
}

/// A memory that a loop fills, with an input at one place.
#[test]
fn memories_are_known_cell_by_cell() {
    const BASE: i64 = 0x1000;
    for place in [3, 5] {
        let mut p = Builder::new(64);
        let m = p.global("m", Sort::Array { index: 64, elem: 8 });
        let (i, x) = (p.global("i", Sort::Bv(64)), p.global("x", INT));
        p.object_at(BASE as u64, 40);
        let byte = p.int(8, 0);
        let zeros = p.terms().const_array(64, byte);
        p.assign(m, zeros);
        p.input(x);
        let (tm, ti, tx) = (p.var(m), p.var(i), p.var(x));
        let at = p.int(64, BASE + 4 * 3);
        let written = p.terms().write(tm, at, tx);
        p.assign(m, written);
        let (zero, one, end, two) = (p.int(64, 0), p.int(64, 1), p.int(64, 10), p.int(64, 2));
        p.assign(i, zero);
        let cond = p.less(ti, end);
        let offset = p.terms().bv_op(BvOp::Shl, ti, two);
        let base = p.int(64, BASE);
        let address = p.terms().add(offset, base);
        let low = p.terms().resize(32, ti);
        let read = p.terms().read(tm, address, 32);
        let sum = p.terms().add(read, low);
        let written = p.terms().write(tm, address, sum);
        let next = p.terms().add(ti, one);
        p.repeat(cond, |p| {
            p.assign(m, written);
            p.assign(i, next);
        });
        let (at, expected) = (p.int(64, BASE + 4 * place), p.int(32, place));
        let read = p.terms().read(tm, at, 32);
        let same = p.terms().eq(read, expected);
        let wrong = p.terms().not(same);
        p.error_if(wrong);
        let program = finished(p);
        let expected = if place == 3 { Verdict::False } else { Verdict::True };
        assert_eq!(by(&program, &Composition::value()).0, expected);
        assert_eq!(by(&program, &Composition::symex()).0, expected);
    }
}

/// A memory keeps what it has beside a cell into which something is written that is not tracked; also where it is compared with others.
#[test]
fn memories_keep_what_is_known_beside_the_unknown() {
    let (refine, slicing) = (Some(refine::Options::default()), Some(slicing::Options::default()));
    for (repeated, expected, verdict) in
        [(false, 7, Verdict::True), (true, 7, Verdict::True), (true, 8, Verdict::False)]
    {
        let mut p = Builder::new(64);
        let (m, x) = (p.global("m", Sort::Array { index: 64, elem: 8 }), p.global("x", Sort::Bv(8)));
        p.object_at(0x1000, 16);
        let (tm, tx, here, there, seven) = (p.var(m), p.var(x), p.int(64, 0x1000), p.int(64, 0x1008), p.int(8, 7));
        let written = p.terms().write(tm, here, seven);
        p.assign(m, written);
        p.input(x);
        let written = p.terms().write(tm, there, tx);
        if repeated {
            let again = p.terms().nonzero(tx);
            p.repeat(again, |p| {
                p.input(x);
                p.assign(m, written);
            });
        } else {
            p.assign(m, written);
        }
        let (cell, expected) = (p.terms().read(tm, here, 8), p.int(8, expected));
        let is = p.terms().eq(cell, expected);
        let wrong = p.terms().not(is);
        p.error_if(wrong);
        let program = finished(p);
        for slicing in [None, slicing] {
            for composition in [Composition::value(), Composition::symex()] {
                let (found, statistics) = by(&program, &Composition { refine, slicing, ..composition });
                assert_eq!(found, verdict, "{statistics}");
                assert!(verdict == Verdict::False || statistics.tracked_vars == 1, "{statistics}");
            }
        }
    }
}

/// What bounds a variable that is tracked is tracked too, though the path is infeasible without it: it costs no states.
#[test]
fn assumptions_about_what_is_tracked_are_tracked() {
    let refine = Some(refine::Options::default());
    for (kind, bounded) in [(AssumeKind::User, true), (AssumeKind::User, false), (AssumeKind::Branch, true)] {
        let mut p = Builder::new(64);
        let (a, b, x) = (p.global("a", INT), p.global("b", INT), p.global("x", INT));
        let (ta, tb, tx, one, ten) = (p.var(a), p.var(b), p.var(x), p.int(32, 1), p.int(32, 10));
        p.input(a);
        p.input(b);
        let holds = if bounded { p.less(ta, ten) } else { p.less(tb, ten) };
        if kind == AssumeKind::Branch {
            let (yes, no) = p.branch(holds);
            p.at = no;
            p.exit();
            p.at = yes;
        } else {
            p.step(Op::Assume { cond: holds, kind });
        }
        let twice = p.terms().add(ta, ta);
        p.assign(x, twice);
        let bit = p.terms().bv_op(BvOp::And, tx, one);
        let odd = p.terms().eq(bit, one);
        p.error_if(odd);
        let (verdict, statistics) = by(&finished(p), &Composition { refine, ..Composition::symex() });
        assert_eq!(verdict, Verdict::True);
        let expected = (2, if bounded { 2 } else { 1 });
        assert_eq!((statistics.tracked_vars, statistics.tracked_conditions), expected, "{statistics}");
    }
}
