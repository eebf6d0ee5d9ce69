//! Domain types: what each kind of use makes of a variable, against the paper's definition over pairs, and what the types promise about
//! executions.

use crate::support::*;
use cfa::bv::Bv;
use cfa::eval::Value;
use cfa::{Sort, VarId};
use kerf_testing::{Random, fuzz_runs};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use verifier::program::Program;
use verifier::program::domain_types::{DomainType, DomainTypes, EcaClass, Measures};

fn variable(program: &Program, name: &str) -> VarId {
    program.cfa.vars.iter_enumerated().find(|(_, var)| var.name == name).expect("a variable").0
}

/// Checks the types of the variables that `expected` names: `x: EQ, y: ADD`.
fn check(text: &str, expected: &str) {
    let program = source(text);
    let types = DomainTypes::new(&program);
    let found = expected.split(", ").map(|one| {
        let name = one.split(':').next().expect("a name");
        format!("{name}: {}", types.of(variable(&program, name)))
    });
    assert_eq!(found.collect::<Vec<_>>().join(", "), expected, "{text}");
}

#[test]
fn one_bit_suffices() {
    // Two values, also where 1 is compared with.
    check("int x = 0; while (*) { if (x == 1) x = 0; else x = 1; } if (x) error();", "x: BOOL");
    // Two classes of values.
    check("int x = input(); int y = x; if (!y) error();", "x: BOOL, y: BOOL");
    check("int x = input(); if (x == 1) error(); if (x == 0) error();", "x: EQ");
    check("int x = input(); int y = input(); if (x == y) error(); if (x == 0) y = 0;", "x: EQ, y: EQ");
    // Truth values, and what logic makes of them.
    check(
        "int x = input(); int b = x == 7; int c = !b; int d = b & c | b ^ 1; if (d) error();",
        "x: EQ, b: BOOL, c: BOOL, d: BOOL",
    );
    check("int x = input(); int b = x & 1; if (b) error();", "x: OTHER, b: OTHER");
}

#[test]
fn each_operation_has_its_type() {
    check("int x = 3; int y = input(); if (x != y) x = 5; if (x == 4) error();", "x: EQ, y: EQ");
    check("int x = 0; while (*) x = x + 1; if (x == 4) error();", "x: ADD");
    check("int x = input(); if (x < 4) error();", "x: ADD");
    check("int x = input(); int y = input(); int z = x - y; if (-z == 4) error();", "x: ADD, y: ADD, z: ADD");
    for operator in ["*", "/", "%", "<<", ">>"] {
        check(&format!("int x = input(); int y = input(); if (x {operator} y == 6) error();"), "x: OTHER, y: OTHER");
    }
    check(
        "int x = input(); int y = ~x; int z = 3; if (y == 6) z = 4; if (z == 4) error();",
        "x: OTHER, y: OTHER, z: EQ",
    );
    check("int x = input(); int a[]; a[0] = x; if (a[0] == 3) error();", "x: OTHER, a: OTHER");
    check("int x = input(); int a[]; if (a[x] == 3) error();", "x: OTHER");
    check("int a[]; int x = a[0]; if (x == 3) error();", "x: OTHER");
}

/// One product makes everything `OTHER` that flows into its operands, or out of them, or is compared with them; and nothing else.
#[test]
fn the_greatest_use_counts_for_a_partition() {
    let text = "int a = input(); int b = a; int c = 2; int d = 5; int e = 0;
                if (b == 3) { c = c * b; e = 1; }
                if (c == d) error();
                if (e) error();";
    check(text, "a: OTHER, b: OTHER, c: OTHER, d: OTHER, e: BOOL");
    check("int x = 3; f(); if (x == 4) error(); f() { int y = x; int z = y + 1; x = 4; }", "x: ADD, y: ADD, z: ADD");
}

/// The width is the same within `EQ`, since what is made wider is `OTHER`; `BOOL` has values 0 and 1 in each width.
#[test]
fn changes_of_width_keep_truth_values_only() {
    let mut p = Builder::new(64);
    let [b, wide, n, long] = ["b", "wide", "n", "long"].map(|name| {
        let width = if matches!(name, "b" | "n") { 8 } else { 32 };
        p.global(name, Sort::Bv(width))
    });
    p.input(n);
    let (tn, three, one, zero) = (p.var(n), p.int(8, 3), p.int(8, 1), p.int(8, 0));
    let is_three = p.terms().eq(tn, three);
    let truth = p.terms().ite(is_three, one, zero);
    p.assign(b, truth);
    let tb = p.var(b);
    let (tb, tn) = (p.terms().zext(32, tb), p.terms().sext(32, tn));
    p.assign(wide, tb);
    p.assign(long, tn);
    let (twide, tlong, k) = (p.var(wide), p.var(long), p.int(32, 9));
    let (set, nine) = (p.terms().nonzero(twide), p.terms().eq(tlong, k));
    let both = p.terms().and(set, nine);
    p.error_if(both);
    let types = DomainTypes::new(&finished(p));
    use DomainType::{Bool, Other};
    assert_eq!([b, wide, n, long].map(|v| types.of(v)), [Bool, Bool, Other, Other]);
    assert_eq!(types.partition(b).expect("a partition").width_bits, 32);
}

#[test]
fn partitions_know_their_constants() {
    let program =
        source("i8 x = -3; i8 y = 7; i8 z = 1; if (x == y) x = 5; if (y != -3) error(); if (z == 2) error();");
    let types = DomainTypes::new(&program);
    let [x, y, z] = ["x", "y", "z"].map(|name| variable(&program, name));
    let part = types.partition(x).expect("a partition");
    let numbers = |list: &[i64]| list.iter().map(|k| Bv::from_i64(8, *k)).collect::<Vec<_>>();
    assert_eq!(part.variables, [x, y]);
    assert_eq!(part.constants, numbers(&[-3, 5, 7]));
    assert!(part.unsigned_constants().eq(&numbers(&[5, 7, -3])));
    assert_eq!(types.partition_number(x), types.partition_number(y));
    assert_eq!(types.partition(z).expect("a partition").constants, numbers(&[1, 2]));
}

#[test]
fn types_are_those_of_the_slice() {
    let program = source("int x = input(); int y = x * x; if (x == 3) error();");
    let x = variable(&program, "x");
    assert_eq!(DomainTypes::new(&program).of(x), DomainType::Other);
    let sliced = program.resliced(slicer::slice_for_targets(&program.cfa));
    assert_eq!(DomainTypes::new(&sliced).of(x), DomainType::Eq);
}

#[test]
fn measures_count_what_the_source_has() {
    let text = "int state = 1; int steps = 0; int done = 0;
                while (!done) {
                    int i = input();
                    steps = steps + 1;
                    if (i == 3 && state != 4) { if (state == 1) { state = 2; } else { state = 3; } }
                    if (i < 9 || state == 2 || !(i == 3 && state == 3)) state = 1;
                    done = i == 8;
                }
                if (state == 7) error();";
    let program = source(text);
    let measures = Measures::new(&program, &DomainTypes::new(&program));
    // Nothing depends on the steps.
    assert_eq!(measures.state_variables, 2);
    // 0, 1, 2, 3, 4, 7, 8, 9
    assert_eq!(measures.integer_constants, 8);
    let Measures { conjunctions, disjunctions, negations, equalities, orders, sums, products, .. } = measures;
    // The language has terms for these operators; `done` is compared with 0.
    assert_eq!([conjunctions, disjunctions, negations], [2, 2, 2]);
    assert_eq!([equalities, orders, sums, products], [9, 1, 1, 0]);
    assert_eq!(measures.variables, [1, 1, 2, 0]);
    assert_eq!(measures.class, EcaClass::Mul);
}

/// A statement of random programs.
#[derive(Clone, Copy)]
enum Statement {
    Input(usize),
    Constant(usize, u64),
    Copy(usize, usize),
    Sum(usize, usize, usize),
    Product(usize, usize, usize),
    And(usize, usize, usize),
    /// `x = y == k`
    Truth(usize, usize, u64),
    /// `if (x == k) y = z`
    IfEqual(usize, u64, usize, usize),
    /// `if (x == y) z = k`
    IfSame(usize, usize, usize, u64),
    /// `if (x < y) z = k`
    IfLess(usize, usize, usize, u64),
}

const VARIABLES: usize = 6;

/// Three bits, so that there are values besides the constants.
const WIDTH: u32 = 3;

fn random_statement(rng: &mut Random) -> Statement {
    use Statement::*;
    // Three variables that differ, of one half of them mostly, so that there are several partitions.
    let half = if rng.one_in(8) { 0..VARIABLES } else { [0..3, 3..VARIABLES][rng.below(2usize)].clone() };
    let mut vars: Vec<usize> = half.collect();
    let mut next = || {
        let i = rng.below(vars.len());
        vars.swap_remove(i)
    };
    let (x, y, z) = (next(), next(), next());
    let k = rng.below(4u64);
    match rng.below(40) {
        0..=4 => Input(x),
        5..=11 => Constant(x, k),
        12..=16 => Copy(x, y),
        17 => Sum(x, y, z),
        18 => Product(x, y, z),
        19..=21 => And(x, y, z),
        22..=24 => Truth(x, y, k),
        25..=35 => IfEqual(x, k, y, z),
        36..=38 => IfSame(x, y, z, k),
        _ => IfLess(x, y, z, k),
    }
}

fn text(statements: &[Statement]) -> String {
    use Statement::*;
    let mut out: String = (0..VARIABLES).map(|v| format!("i{WIDTH} v{v} = 0; ")).collect();
    out += "while (*) {\n";
    for s in statements {
        out += &match *s {
            // The test makes the value matter.
            Input(x) => format!("v{x} = input(); if (v{x} == 0) error();\n"),
            Constant(x, k) => format!("v{x} = {k};\n"),
            Copy(x, y) => format!("v{x} = v{y};\n"),
            Sum(x, y, z) => format!("v{x} = v{y} + v{z};\n"),
            Product(x, y, z) => format!("v{x} = v{y} * v{z};\n"),
            And(x, y, z) => format!("v{x} = v{y} & v{z};\n"),
            Truth(x, y, k) => format!("v{x} = v{y} == {k};\n"),
            IfEqual(x, k, y, z) => format!("if (v{x} == {k}) v{y} = v{z};\n"),
            IfSame(x, y, z, k) => format!("if (v{x} == v{y}) v{z} = {k};\n"),
            IfLess(x, y, z, k) => format!("if (v{x} < v{y}) v{z} = {k};\n"),
        };
    }
    out + "}\n"
}

/// The definition, as it is: an equivalence closed by comparing all pairs, and the greatest use of the variables in a class.
fn by_definition(statements: &[Statement]) -> (Vec<BTreeSet<usize>>, Vec<DomainType>, Vec<BTreeSet<u64>>) {
    use Statement::*;
    let mut related: Vec<BTreeSet<usize>> = (0..VARIABLES).map(|v| BTreeSet::from([v])).collect();
    let mut constants = vec![BTreeSet::from([0u64]); VARIABLES];
    let [mut arbitrary, mut distinguished, mut bits, mut add, mut other] = [(); 5].map(|()| [false; VARIABLES]);
    let relate = |related: &mut Vec<BTreeSet<usize>>, all: &[usize]| {
        all.iter().for_each(|v| related[*v].extend(all));
    };
    for s in statements {
        match *s {
            Input(x) => arbitrary[x] = true,
            Constant(x, k) => _ = constants[x].insert(k),
            Copy(x, y) => relate(&mut related, &[x, y]),
            Sum(x, y, z) => {
                relate(&mut related, &[x, y, z]);
                add[x] = true;
            }
            Product(x, y, z) => [x, y, z].into_iter().for_each(|v| other[v] = true),
            And(x, y, z) => {
                relate(&mut related, &[x, y, z]);
                bits[x] = true;
            }
            Truth(x, y, k) => {
                constants[x].insert(1);
                constants[y].insert(k);
                distinguished[y] |= k != 0;
            }
            IfEqual(x, k, y, z) => {
                constants[x].insert(k);
                distinguished[x] |= k != 0;
                relate(&mut related, &[y, z]);
            }
            IfSame(x, y, z, k) => {
                relate(&mut related, &[x, y]);
                distinguished[x] = true;
                constants[z].insert(k);
            }
            IfLess(x, y, z, k) => {
                relate(&mut related, &[x, y]);
                add[x] = true;
                constants[z].insert(k);
            }
        }
    }
    while let Some((v, more)) = (0..VARIABLES).find_map(|v| {
        let more: BTreeSet<usize> = related[v].iter().flat_map(|w| related[*w].clone()).collect();
        (more.len() > related[v].len()).then_some((v, more))
    }) {
        related[v] = more;
    }
    let of_class = |v: usize| {
        let any = |of: &[bool]| related[v].iter().any(|w| of[*w]);
        let all: BTreeSet<u64> = related[v].iter().flat_map(|w| constants[*w].clone()).collect();
        let two_values = !any(&arbitrary);
        let zero_or_not = !any(&distinguished) && !any(&bits);
        let domain = if any(&other) {
            DomainType::Other
        } else if !any(&add) && all.iter().all(|k| *k <= 1) && (two_values || zero_or_not) {
            DomainType::Bool
        } else if any(&bits) {
            DomainType::Other
        } else if any(&add) {
            DomainType::Add
        } else {
            DomainType::Eq
        };
        (domain, all)
    };
    let (types, all) = (0..VARIABLES).map(of_class).unzip();
    (related, types, all)
}

/// Union-find over terms finds the partitions, types and constants of the definition over pairs of variables.
#[test]
fn types_are_those_of_the_definition() {
    let mut seen = BTreeMap::new();
    for seed in 0..fuzz_runs(2_000) {
        let mut rng = Random::new(seed);
        let statements: Vec<Statement> = (0..rng.between(2, 12)).map(|_| random_statement(&mut rng)).collect();
        let text = text(&statements);
        let program = source(&text);
        let types = DomainTypes::new(&program);
        let (related, domains, constants) = by_definition(&statements);
        let vars: Vec<VarId> = (0..VARIABLES).map(|v| variable(&program, &format!("v{v}"))).collect();
        for v in 0..VARIABLES {
            let part = types.partition(vars[v]).expect("a partition");
            let expected: Vec<VarId> = related[v].iter().map(|w| vars[*w]).collect();
            assert_eq!(part.variables, expected, "seed {seed}, v{v}\n{text}");
            assert_eq!(part.domain, domains[v], "seed {seed}, v{v}\n{text}");
            let expected: Vec<Bv> = constants[v].iter().map(|k| Bv::new(WIDTH, *k)).collect();
            assert!(part.unsigned_constants().eq(&expected), "seed {seed}, v{v}: {:?}\n{text}", part.constants);
            *seen.entry(part.domain).or_insert(0) += 1;
        }
    }
    assert_eq!(seen.len(), 4, "{seen:?}");
}

/// Replaces the values of some variables.
fn mapped(state: &Concrete, vars: &[VarId], f: &dyn Fn(u64) -> u64) -> Concrete {
    let mut state = state.clone();
    for v in vars {
        if let Some(Value::Bv(value)) = state.values.get_mut(v) {
            *value = Bv::new(WIDTH, f(value.to_u64().expect("a small number")));
        }
    }
    state
}

/// What the states after `state` look like if `f` is applied to the values of `vars`.
fn looks(program: &Program, state: &Concrete, vars: &[VarId], f: &dyn Fn(u64) -> u64) -> BTreeSet<String> {
    successors(&program.cfa, state).iter().map(|(_, next)| format!("{:?}", mapped(next, vars, f))).collect()
}

/// What the types promise. `EQ`: if the values of a partition other than its constants are permuted, execution goes on as before, with
/// permuted values. `BOOL`: it goes on as before if all values but 0 are replaced by 1, up to which values other than 0 there are.
#[test]
fn executions_do_not_depend_on_what_the_types_drop() {
    let [mut permuted, mut reduced] = [0; 2];
    for seed in 0..fuzz_runs(60) {
        let mut rng = Random::new(seed);
        let statements: Vec<Statement> = (0..rng.between(2, 8)).map(|_| random_statement(&mut rng)).collect();
        let text = text(&statements);
        let program = source(&text);
        let types = DomainTypes::new(&program);
        let mut seen = HashSet::new();
        let mut open = vec![Concrete::start(&program.cfa)];
        while let Some(state) = open.pop() {
            if seen.len() > 300 || !seen.insert(format!("{state:?}")) {
                continue;
            }
            for part in types.partitions() {
                let fixed = part.constants.iter().map(|c| c.to_u64().expect("a small number"));
                let fixed: Vec<u64> = fixed.collect();
                let others: Vec<u64> = (0..1 << WIDTH).filter(|k| !fixed.contains(k)).collect();
                let turn = |k: u64| match others.iter().position(|o| *o == k) {
                    Some(i) => others[(i + 1) % others.len()],
                    None => k,
                };
                let (vars, bit) = (&part.variables, |k: u64| u64::from(k != 0));
                let (found, expected) = match part.domain {
                    DomainType::Eq => {
                        permuted += 1;
                        (
                            looks(&program, &mapped(&state, vars, &turn), vars, &|k| k),
                            looks(&program, &state, vars, &turn),
                        )
                    }
                    DomainType::Bool => {
                        reduced += 1;
                        (looks(&program, &mapped(&state, vars, &bit), vars, &bit), looks(&program, &state, vars, &bit))
                    }
                    DomainType::Add | DomainType::Other => continue,
                };
                assert_eq!(found, expected, "seed {seed}, {part:?}\n{text}");
            }
            open.extend(successors(&program.cfa, &state).into_iter().map(|(_, next)| next));
        }
    }
    assert!(permuted > 100 && reduced > 100, "{permuted}, {reduced}");
}
