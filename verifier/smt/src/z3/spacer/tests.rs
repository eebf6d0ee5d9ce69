//! Tests of Spacer on a loop with two counters, with and without a solution.

use super::*;

/// `x := 0, y := 0; while (x < n) x += 1, y += 2 or 3`, and then `y > bound * x` leads to the goal.
fn counting(bound: i128) -> (System, Relation, Relation) {
    let mut s = System::default();
    let head = s.relation(vec![Sort::Int; 3]);
    let goal = s.relation(Vec::new());
    let e = &mut s.exprs;
    let mut var = |i| e.add(Node::Var(Var(i), Sort::Int));
    let (x, y, n) = (var(0), var(1), var(2));
    let choice = e.add(Node::Var(Var(3), Sort::Bool));
    let mut int = |k| e.add(Node::Int(k));
    let (zero, one, two, three) = (int(0), int(1), int(2), int(3));
    let tt = e.add(Node::Bool(true));
    let done = e.add(Node::Le(n, x));
    let goes_on = e.add(Node::Not(done));
    let more = e.add(Node::Ite(choice, two, three));
    let (next_x, next_y) = (e.add(Node::Add(vec![x, one])), e.add(Node::Add(vec![y, more])));
    let limit = e.add(Node::Scale(bound, x));
    let within = e.add(Node::Le(y, limit));
    let beyond = e.add(Node::Not(within));
    let bad = e.add(Node::And(vec![done, beyond]));
    let at = |args: &[Expr]| Atom { relation: head, args: args.to_vec() };
    s.clauses = vec![
        Clause { body: vec![], constraint: tt, head: at(&[zero, zero, n]) },
        Clause { body: vec![at(&[x, y, n])], constraint: goes_on, head: at(&[next_x, next_y, n]) },
        Clause { body: vec![at(&[x, y, n])], constraint: bad, head: Atom { relation: goal, args: vec![] } },
    ];
    (s, head, goal)
}

/// The value of an integer expression, or of a truth value as 0 or 1.
fn value(exprs: &Exprs, e: Expr, args: &[i128]) -> i128 {
    let of = |e: Expr| value(exprs, e, args);
    match exprs.node(e) {
        Node::Bool(b) => i128::from(*b),
        Node::Int(k) => *k,
        Node::Var(v, _) => args[v.0 as usize],
        Node::Not(a) => 1 - of(*a),
        Node::And(all) => all.iter().map(|a| of(*a)).min().unwrap_or(1),
        Node::Or(all) => all.iter().map(|a| of(*a)).max().unwrap_or(0),
        Node::Ite(c, a, b) => of(if of(*c) == 1 { *a } else { *b }),
        Node::Add(all) => all.iter().map(|a| of(*a)).sum(),
        Node::Scale(k, a) => k * of(*a),
        Node::Div(a, k) => of(*a).div_euclid(*k),
        Node::Mod(a, k) => of(*a).rem_euclid(*k),
        Node::Le(a, b) => i128::from(of(*a) <= of(*b)),
        Node::Eq(a, b) => i128::from(of(*a) == of(*b)),
    }
}

#[test]
fn a_solution_holds_where_the_loop_comes_and_excludes_the_goal() {
    let (system, head, goal) = counting(3);
    let found = Spacer::default().solve(&system, goal, Duration::from_secs(20)).expect("an answer");
    assert_eq!(found.verdict, Verdict::Empty);
    let formulas = &found.formulas[head.0 as usize];
    let holds = |args: &[i128]| formulas.iter().all(|f| value(&found.exprs, *f, args) == 1);
    assert!(holds(&[0, 0, 7]) && holds(&[3, 6, 7]) && holds(&[3, 9, 7]));
    assert!(!holds(&[3, 10, 3]) && !holds(&[0, 1, 0]));
}

#[test]
fn a_system_without_solution_has_none() {
    let (system, _, goal) = counting(2);
    let found = Spacer::default().solve(&system, goal, Duration::from_secs(20)).expect("an answer");
    assert_eq!(found.verdict, Verdict::Inhabited);
}

#[test]
fn an_interrupted_solver_has_no_answer() {
    let (system, _, goal) = counting(3);
    let spacer = Spacer::default();
    spacer.interrupter().interrupt();
    let answer = spacer.solve(&system, goal, Duration::from_secs(20)).map(|found| found.verdict);
    assert_eq!(answer, Err(SolverError::Unknown("interrupted".into())));
}
