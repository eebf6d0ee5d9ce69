//! Comparing and merging symbolic states, against the values that they represent.

use super::cover::Cells;
use super::merge::disjunction;
use super::*;
use crate::program::{Budget, Program};
use cfa::bv::{Bv, BvCmp, BvOp};
use cfa::eval::{Value, eval, eval_bool};
use cfa::term::Leaf;
use cfa::view::Slice;
use cfa::{Cfa, Scope, Sort, Span, Terms};
use kerf_testing::Random;
use std::collections::BTreeSet;
use std::sync::Arc;

const VARS: [&str; 3] = ["a", "b", "c"];

/// A context over a program with three variables.
fn with_context(width: u32, test: impl FnOnce(&mut SymbolicCpa, &mut Cx<'_>)) {
    let mut cfa = Cfa::new(64);
    cfa.entry = cfa.add_func("main", Span::default());
    for name in VARS {
        cfa.add_var(name, Sort::Bv(width), Scope::Global);
    }
    let slice = Slice::whole(&cfa);
    let program = Program::new(Arc::new(cfa), slice);
    let mut solver = smt::standard(smt::Limits::default());
    let budget = Budget::until(Instant::now() + Duration::from_secs(60));
    let mut cx = Cx::new(&program, &mut solver, budget);
    test(&mut SymbolicCpa::new(Limits::default()), &mut cx);
}

fn state(cx: &mut Cx<'_>, values: &[Option<Term>], constraints: &[Term]) -> State {
    let mut env = Env::default();
    for (i, t) in values.iter().enumerate() {
        if let Some(t) = t {
            env.globals.insert(VarId(i as u32), *t);
        }
    }
    let constraints: OrdSet<Term> = constraints.iter().copied().collect();
    let mut s = State {
        env,
        callers: None,
        known: Known::default().and(&cx.terms, &constraints.iter().copied().collect::<Vec<_>>()),
        constraints,
        model: None,
        constants: None,
        parts: Vector::new(),
        in_old: Rc::default(),
        fixed: OrdMap::new(),
        is_merged: false,
        reads: None,
        open: Vector::new(),
        inputs: 0,
        met: 0,
        fresh: false,
        case: Vec::new(),
    };
    s.constants = Some(Rc::new(Places::default().constants(cx, &mut Cells::default(), &s)));
    s
}

/// The example of [Lemberger 2015, 2.1]: {a: s1, b: s1 + 5} and {a: s2, b: s2 + 5} cover each other.
#[test]
fn states_that_differ_in_names_cover_each_other() {
    with_context(32, |cpa, cx| {
        let mut make = |name: &str| {
            let s = cx.terms.fresh(name, Sort::Bv(32));
            let five = cx.terms.int(32, 5);
            let sum = cx.terms.add(s, five);
            (state(cx, &[Some(s), Some(sum)], &[]), s)
        };
        let ((x, s1), (y, s2)) = (make("s1"), make("s2"));
        assert_eq!(cpa.covered(cx, &x, &y), Ok(true));
        assert_eq!(cpa.covered(cx, &y, &x), Ok(true));
        assert_eq!(cx.statistics.solver_calls, 0);
        // But {a: s1, b: s1 + 6} and {a: s2, b: s2 + 5} do not cover each other.
        let six = cx.terms.int(32, 6);
        let sum = cx.terms.add(s1, six);
        let z = state(cx, &[Some(s1), Some(sum)], &[]);
        assert_eq!(cpa.covered(cx, &z, &y), Ok(false));
        assert_eq!(cpa.covered(cx, &y, &z), Ok(false));
        // Constants are special cases.
        let (two, seven) = (cx.terms.int(32, 2), cx.terms.int(32, 7));
        let c = state(cx, &[Some(two), Some(seven)], &[]);
        assert_eq!(cpa.covered(cx, &c, &y), Ok(true));
        assert_eq!(cpa.covered(cx, &y, &c), Ok(false));
        // So are stronger constraints.
        let (k5, k9) = (cx.terms.int(32, 5), cx.terms.int(32, 9));
        let small = cx.terms.cmp(BvCmp::Ult, s1, k5);
        let smaller = cx.terms.cmp(BvCmp::Ult, s2, k9);
        let (five, nine) = (state(cx, &[Some(s1)], &[small]), state(cx, &[Some(s2)], &[smaller]));
        assert_eq!(cpa.covered(cx, &five, &nine), Ok(true));
        assert_eq!(cpa.covered(cx, &nine, &five), Ok(false));
    });
}

/// The values of the variables that a state represents, for each assignment of its symbols, of two bits or Bools; unknown variables may
/// have any value.
fn concrete(cx: &Cx<'_>, s: &State, symbols: &[SymId]) -> BTreeSet<Vec<u64>> {
    let represented = |k| {
        let mut leaf = |l: Leaf| assigned(cx, symbols, k, l);
        if !s.constraints.iter().all(|c| eval_bool(&cx.terms, *c, &mut leaf) == Some(true)) {
            return Vec::new();
        }
        let mut states = vec![Vec::new()];
        for v in 0..VARS.len() as u32 {
            let known = s.env.globals.get(&VarId(v)).map(|t| eval(&cx.terms, *t, &mut leaf).and_then(|x| x.to_u64()));
            let values = known.map_or((0..4).collect(), |x| vec![x.expect("a value")]);
            states = states.iter().flat_map(|s| values.iter().map(|x| [&s[..], &[*x]].concat())).collect();
        }
        states
    };
    (0..1u64 << (2 * symbols.len())).flat_map(represented).collect()
}

/// The value of a leaf if the symbols have the values whose bits are those of `k`, two for each.
fn assigned(cx: &Cx<'_>, symbols: &[SymId], k: u64, leaf: Leaf) -> Option<Value> {
    let Leaf::Sym(s) = leaf else { return None };
    let bits = k >> (2 * symbols.iter().position(|x| *x == s)?);
    Some(match cx.terms.symbol(s).sort {
        Sort::Bool => Value::Bool(bits & 1 == 1),
        _ => Value::Bv(Bv::new(2, bits)),
    })
}

/// A state of random values and one constraint over two symbols.
fn random_state(cx: &mut Cx<'_>, rng: &mut Random, symbols: &[Term]) -> State {
    let mut value = |cx: &mut Cx<'_>| {
        let (x, y) = (rng.pick(symbols), rng.pick(symbols));
        let k = cx.terms.int(2, rng.below(4));
        match rng.below(6) {
            0 => k,
            1 => cx.terms.add(x, k),
            2 => cx.terms.bv_op(BvOp::Mul, x, y),
            3 => cx.terms.bv_op(BvOp::And, x, y),
            _ => x,
        }
    };
    let values: Vec<Option<Term>> = (0..3).map(|i| (i < 2).then(|| value(cx))).collect();
    let (x, y) = (value(cx), value(cx));
    let constraint = cx.terms.cmp(BvCmp::Ule, x, y);
    let constraints = if cx.terms.as_bool(constraint).is_some() { vec![] } else { vec![constraint] };
    state(cx, &values, &constraints)
}

/// `s`, where perhaps a symbol has a fixed value.
fn fixed_at_random(cpa: &mut SymbolicCpa, cx: &mut Cx<'_>, rng: &mut Random, symbols: &[Term], s: State) -> State {
    if rng.one_in(2) {
        return s;
    }
    let (mut fixed, value) = (s.clone(), cx.terms.int(2, rng.below(4)));
    let constraint = cx.terms.eq(rng.pick(symbols), value);
    cpa.add_constraint(cx, &mut fixed, constraint);
    if fixed.constraints.iter().any(|c| cx.terms.as_bool(*c) == Some(false)) { s } else { fixed }
}

fn two_symbols(cx: &mut Cx<'_>) -> (Vec<Term>, Vec<SymId>) {
    (0..2)
        .map(|i| {
            let s = cx.terms.fresh_sym(format!("s{i}"), Sort::Bv(2));
            (cx.terms.sym(s), s)
        })
        .unzip()
}

/// A merged state represents what its states represent, and nothing else. The witnesses that were found when each of them was merged,
/// completed by those of later merges, show that it covers them.
#[test]
fn merged_states_represent_their_parts() {
    with_context(2, |cpa, cx| {
        let (symbols, ids) = two_symbols(cx);
        let mut rng = Random::new(7);
        let (mut merges, mut count, mut choices) = (Merges::default(), 0, 0);
        for round in 0..300 {
            let first = random_state(cx, &mut rng, &symbols);
            let first = fixed_at_random(cpa, cx, &mut rng, &symbols, first);
            let (mut merged, mut arrived) = (first.clone(), vec![(first, Vec::new())]);
            let mut all = ids.clone();
            for _ in 0..3 {
                let new = match rng.below(4) {
                    0 => {
                        State { parts: Vector::new(), constraints: merged.constraints.clone(), ..arrived[0].0.clone() }
                    }
                    1 => State { parts: Vector::new(), ..merged.clone() },
                    _ => random_state(cx, &mut rng, &symbols),
                };
                let new = fixed_at_random(cpa, cx, &mut rng, &symbols, new);
                let Some(next) = disjunction(&mut merges, &mut cx.terms, &new, &merged) else { continue };
                count += 1;
                let before = cpa.before_merge(&next);
                assert_eq!(cpa.covered(cx, &new, &next), Ok(true), "round {round}");
                let witness = cpa.aliases(cx, &new, &next);
                for (_, earlier) in &mut arrived {
                    earlier.extend(before.clone());
                }
                arrived.push((new, witness));
                merged = next;
                all.extend(merged.parts.last().and_then(|part| part.choice));
            }
            choices += all.len() - ids.len();
            let parts: BTreeSet<Vec<u64>> = arrived.iter().flat_map(|(s, _)| concrete(cx, s, &all)).collect();
            assert_eq!(concrete(cx, &merged, &all), parts, "round {round}");
            for (s, witness) in arrived {
                let mut values: Vec<Term> = merged.env.globals.values().copied().collect();
                values.extend(merged.constraints.iter().copied());
                let instance: Vec<Term> = {
                    let witness: FxHashMap<SymId, Term> = witness.into_iter().collect();
                    let (mut done, terms) = (FxHashMap::default(), &mut cx.terms);
                    let mut value = |_: &mut Terms, l: Leaf| match l {
                        Leaf::Sym(s) => witness.get(&s).copied(),
                        _ => None,
                    };
                    values.into_iter().map(|t| terms.substitute(t, &mut done, &mut value)).collect()
                };
                let (values, constraints) = instance.split_at(merged.env.globals.len());
                let instance = state(cx, &values.iter().map(|t| Some(*t)).collect::<Vec<_>>(), constraints);
                // What is arbitrary in the state stays so in the instance.
                for k in 0..1u64 << (2 * all.len()) {
                    let holds = |c: &Term| eval_bool(&cx.terms, *c, &mut |l| assigned(cx, &all, k, l)) == Some(true);
                    if s.constraints.iter().all(holds) {
                        assert!(instance.constraints.iter().all(holds), "round {round}");
                        for (v, t) in &instance.env.globals {
                            let value = |t: Term| eval(&cx.terms, t, &mut |l| assigned(cx, &all, k, l));
                            assert_eq!(value(*t), value(s.env.globals[v]), "round {round}");
                        }
                    }
                }
            }
        }
        assert!(count > 200 && choices > 100, "{count} {choices}");
    });
}

/// What one part of a condition says about a symbol is known in all others, whatever their order.
#[test]
fn fixed_symbols_are_replaced_in_all_that_is_added() {
    with_context(8, |cpa, cx| {
        for symbol_first in [false, true] {
            let [x, y] = ["x", "y"].map(|name| cx.terms.fresh(name, Sort::Bv(8)));
            let (five, sum) = (cx.terms.int(8, 5), cx.terms.add(x, y));
            let (fixed, less) = (cx.terms.eq(x, five), cx.terms.cmp(BvCmp::Ult, sum, y));
            let both = if symbol_first { cx.terms.and(fixed, less) } else { cx.terms.and(less, fixed) };
            let mut s = state(cx, &[Some(x), Some(y)], &[]);
            cpa.add_constraint(cx, &mut s, both);
            let sum = cx.terms.add(five, y);
            let known = cx.terms.cmp(BvCmp::Ult, sum, y);
            assert_eq!(s.constraints, OrdSet::unit(known));
        }
    });
}

/// Memories are told apart only where no values of their symbols make them equal.
#[test]
fn memories_that_differ_do_so_for_all_values() {
    with_context(8, |_, cx| {
        let mut random = Random::new(5);
        let terms = &mut cx.terms;
        let (byte, place) = (terms.fresh("byte", Sort::Bv(8)), terms.fresh("place", Sort::Bv(8)));
        let zero = terms.int(8, 0);
        let empty = terms.const_array(8, zero);
        let mut memory = |terms: &mut Terms| {
            (0..random.below(5)).fold(empty, |memory, _| {
                let address = if random.one_in(5) { place } else { terms.int(8, random.below(6)) };
                let value = match random.below(4) {
                    0 => byte,
                    1 => terms.int(16, random.below(3) * 257),
                    _ => terms.int(8, random.below(3)),
                };
                terms.write(memory, address, value)
            })
        };
        let (mut cells, mut apart) = (Cells::default(), 0);
        for round in 0..2000 {
            let (a, b) = (memory(terms), memory(terms));
            if !cells.differ(terms, a, b) {
                continue;
            }
            apart += 1;
            let mut bytes = |m: Term| -> Vec<Term> {
                let addresses: Vec<Term> = (0..8).map(|i| terms.int(8, i)).collect();
                addresses.into_iter().map(|address| terms.read(m, address, 8)).collect()
            };
            let (a, b) = (bytes(a), bytes(b));
            for (x, y) in (0..3).flat_map(|x| (0..7).map(move |y| (x, y))) {
                let mut leaf = |l: Leaf| match l {
                    Leaf::Sym(s) if Kind::Sym(s) == terms.kind(byte) => Some(Value::Bv(Bv::new(8, x))),
                    Leaf::Sym(_) => Some(Value::Bv(Bv::new(8, y))),
                    _ => None,
                };
                let mut contents = |bytes: &[Term]| -> Vec<Option<u64>> {
                    bytes.iter().map(|t| eval(terms, *t, &mut leaf).and_then(|v| v.to_u64())).collect()
                };
                assert_ne!(contents(&a), contents(&b), "round {round}");
            }
        }
        assert!(apart > 50, "{apart}");
    });
}

/// A covered state represents no more than the covering one; each state covers itself; and the index misses no covering state, except
/// because of values that are constant only by the constraints.
#[test]
fn covering_is_sound() {
    with_context(2, |cpa, cx| {
        let (symbols, ids) = two_symbols(cx);
        let mut rng = Random::new(1);
        let states: Vec<State> = (0..60).map(|_| random_state(cx, &mut rng, &symbols)).collect();
        let mut covers = 0;
        for s in &states {
            assert_eq!(cpa.covered(cx, s, s), Ok(true));
            for by in &states {
                if cpa.covered(cx, s, by) == Ok(true) {
                    covers += 1;
                    assert!(concrete(cx, s, &ids).is_subset(&concrete(cx, by, &ids)), "{s:?} by {by:?}");
                    if let Some(fingerprint) = cpa.fingerprint_as(s, by) {
                        assert_eq!(Some(fingerprint), cpa.index(by).map(|i| i.fingerprint));
                    }
                }
            }
        }
        assert!(covers > 2 * states.len(), "{covers}");
    });
}
