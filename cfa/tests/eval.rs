//! Tests that the constructors' folding and rewriting, the evaluator and a naive byte map agree.

use cfa::bv::{Bv, BvOp};
use cfa::eval::{ArrayValue, Evaluation, Value, eval};
use cfa::float::Format;
use cfa::term::{Kind, Leaf};
use cfa::{Sort, Term, Terms};
use kerf_testing::Random;
use kerf_testing::hardware::hardware;
use kerf_testing::recipe::{Menu, Recipe, random};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Number of random recipes: enough for a second or two.
const SEEDS: u64 = 1000;

/// Equality; for memories of wide cells, only at multiples of the cell size.
fn same(a: Option<&Value>, b: &Value) -> bool {
    let (Some(Value::Array(x)), Value::Array(y)) = (a, b) else { return a == Some(b) };
    if x.elem_bits() == 8 {
        return x == y;
    }
    let step = u64::from(x.elem_bits() / 8);
    let starts = x.background().iter().chain(y.background()).map(|(start, _)| start.div_ceil(step) * step);
    let cells: Vec<u64> = x.cells().iter().chain(&y.cells()).map(|(at, _)| *at).collect();
    let all = starts.chain(cells.into_iter().filter(|at| at % step == 0));
    all.into_iter().all(|at| x.cell(at) == y.cell(at))
}

/// Compares the values of all positions by folding, by rewriting and evaluation (both ways), and operator by operator.
fn check(seed: u64, menu: Menu, size: usize) {
    check_recipe(seed, &random(seed, menu, size));
}

fn check_recipe(seed: u64, recipe: &Recipe) {
    let Some(values) = recipe.values() else { return };
    let mut terms = Terms::new();
    let folded = recipe.build_folded(&mut terms);
    let built = recipe.build_symbolic(&mut terms);
    let mut memo = Evaluation::new();
    for (i, want) in values.iter().enumerate() {
        let step = || i.checked_sub(recipe.ingredients.len()).map(|s| &recipe.steps[s]);
        let got = eval(&terms, folded[i], &mut |_| None);
        assert!(same(got.as_ref(), want), "seed {seed}: folding position {i}: {:?}: {got:?} for {want:?}", step());
        let got = eval(&terms, built.terms[i], &mut |l| built.leaf(l));
        assert!(same(got.as_ref(), want), "seed {seed}: rewriting position {i}: {:?}: {got:?} for {want:?}", step());
        let got = memo.eval(&terms, built.terms[i], &mut |l, _| built.leaf(l));
        assert!(same(got.as_ref(), want), "seed {seed}: memo at position {i}: {:?}: {got:?} for {want:?}", step());
    }
}

#[test]
fn bits_agree() {
    for seed in 0..SEEDS * 10 {
        check(seed, Menu::Bits, 12);
    }
}

/// As many models as `KERF_FUZZ_RUNS` says, with terms that share hundreds of operators. Each is also built plainly, and by
/// the constructors over plain arguments, with input values that differ from those of the recipe.
#[test]
fn fuzz_hardware_models_agree() {
    let runs = kerf_testing::fuzz_runs(60);
    for seed in 0..runs {
        let mut rng = Random::new(seed ^ 0x4A5D);
        let mut recipe = hardware(seed, 50 + rng.below(500) as usize);
        check_recipe(seed, &recipe);
        let mut terms = Terms::new();
        let built = recipe.build_symbolic(&mut terms);
        let plain = recipe.build_plain(&mut terms, &built.terms);
        let first = recipe.ingredients.len();
        let mixed: Vec<Term> = recipe
            .steps
            .iter()
            .map(|step| {
                let args: Vec<Term> = step.args.iter().map(|i| plain[*i]).collect();
                terms.make(step.kind, &args, step.sort)
            })
            .collect();
        for _ in 0..6 {
            let mut model: FxHashMap<Leaf, Value> = FxHashMap::default();
            for (i, t) in recipe.ingredients.iter_mut().zip(&built.terms) {
                if let (Kind::Sym(s), Sort::Bv(w)) = (terms.kind(*t), terms.sort(*t)) {
                    i.value = Value::Bv(rng.bits(w));
                    model.insert(Leaf::Sym(s), i.value.clone());
                }
            }
            let values = recipe.values().expect("operators on bits have values");
            let mut memo = Evaluation::new();
            for (i, step) in recipe.steps.iter().enumerate() {
                for (how, t) in [("plain", plain[first + i]), ("normal", built.terms[first + i]), ("mixed", mixed[i])] {
                    let got = memo.eval(&terms, t, &mut |leaf, _| model.get(&leaf).cloned());
                    assert_eq!(got.as_ref(), Some(&values[first + i]), "seed {seed}: {how} term of step {i}: {step:?}");
                }
            }
        }
    }
}

#[test]
fn memories_agree() {
    for seed in 0..SEEDS * 2 {
        check(seed, Menu::Memory, 10);
    }
}

#[test]
fn floats_agree() {
    let formats = [Format::Half, Format::BFloat, Format::Single, Format::Double, Format::X87, Format::Quad];
    for seed in 0..SEEDS / 4 {
        for f in formats {
            check(seed, Menu::Floats(f), 8);
        }
    }
}

/// The addresses of `bits` bits.
fn mask(bits: u32) -> u64 {
    (1 << bits) - 1
}

/// A memory as a plain map, for comparison.
struct Naive {
    bits: u32,
    default: u64,
    bytes: BTreeMap<u64, u64>,
}

impl Naive {
    fn get(&self, a: u64) -> u64 {
        self.bytes.get(&(a & mask(self.bits))).copied().unwrap_or(self.default)
    }
}

#[test]
fn memory_matches_a_plain_map() {
    for seed in 0..300 {
        let mut rng = Random::new(seed);
        let bits = rng.pick(&[10, 12]);
        let end = mask(bits);
        let mut naive = Naive { bits, default: 7, bytes: BTreeMap::new() };
        let mut m = ArrayValue::constant(bits, Bv::new(8, 7));
        for _ in 0..40 {
            let at = rng.below(end + 1);
            match rng.below(3) {
                0 => {
                    let v = rng.word();
                    m.write(at, &Bv::new(32, v));
                    for i in 0..4 {
                        naive.bytes.insert((at + i) & end, (v >> (8 * i)) & 0xff);
                    }
                }
                1 => {
                    let (from, len) = (rng.below(end + 1), rng.below(end + 1));
                    let bytes: Vec<u64> = (0..len).map(|i| naive.get(from + i)).collect();
                    for (i, b) in bytes.into_iter().enumerate() {
                        naive.bytes.insert((at + i as u64) & end, b);
                    }
                    if rng.one_in(2) {
                        m.copy_within(at, from, len);
                    } else {
                        let src = m.clone();
                        m.copy(at, &src, from, len);
                    }
                }
                _ => {
                    let src = ArrayValue::constant(bits, Bv::new(8, rng.below(256)));
                    let len = rng.below(end + 1);
                    for i in 0..len {
                        naive.bytes.insert((at + i) & end, src.cell(0).to_u64().unwrap());
                    }
                    m.copy(at, &src, 3, len);
                }
            }
            let at = rng.below(end + 1);
            let want = (0..4).fold(0, |v, i| v | (naive.get(at + i) << (8 * i)));
            assert_eq!(m.read(at, 32), Bv::new(32, want), "seed {seed}");
        }
        for a in 0..=end {
            assert_eq!(m.cell(a).to_u64(), Some(naive.get(a)), "seed {seed}, address {a}");
        }
    }
}

#[test]
fn huge_copies_cost_what_is_explicit() {
    let mut m = ArrayValue::constant(64, Bv::new(8, 0));
    m.write(0x1000, &Bv::new(64, 0x0807_0605_0403_0201));
    m.copy_within(0x9000, 0, u64::MAX);
    assert_eq!(m.read(0xa000, 64), Bv::new(64, 0x0807_0605_0403_0201));
    let ones = ArrayValue::constant(64, Bv::new(8, 0xff));
    m.copy(16, &ones, 0, 1 << 60);
    assert_eq!(m.read(0xa000, 32), Bv::new(32, 0xffff_ffff));
    assert_eq!(m.read(12, 64), Bv::new(64, 0xffff_ffff_0000_0000));
}

#[test]
fn equality_is_that_of_functions() {
    let zero = ArrayValue::constant(64, Bv::new(8, 0));
    let mut a = zero.clone();
    a.write(5, &Bv::new(16, 0));
    assert_eq!(a, zero);
    a.write(6, &Bv::new(8, 1));
    assert_ne!(a, zero);
    // Two backgrounds that differ only where cells are explicit.
    let one = ArrayValue::constant(64, Bv::new(8, 1));
    let mut b = zero.clone();
    b.copy(0, &one, 0, 300);
    assert_ne!(b, zero);
    for i in 0..300 {
        b.set_cell(i, Bv::new(8, 0));
    }
    assert_eq!(b, zero);
}

#[test]
fn deep_terms_evaluate() {
    let mut terms = Terms::new();
    let x = terms.fresh("x", Sort::Bv(32));
    let mut t = x;
    for i in 0..100_000 {
        let k = terms.int(32, i | 1);
        let y = terms.bv_op(BvOp::Xor, t, x);
        t = terms.bv_op(BvOp::Mul, y, k);
    }
    assert!(eval(&terms, t, &mut |_| Some(Value::Bv(Bv::new(32, 3)))).is_some());
}

#[test]
fn what_is_not_selected_needs_no_value() {
    let mut terms = Terms::new();
    let (c, x, y) = (terms.fresh("c", Sort::Bool), terms.fresh("x", Sort::Bv(8)), terms.fresh("y", Sort::Bv(8)));
    let t = terms.ite(c, x, y);
    let mut leaf = |l| match l {
        Leaf::Sym(s) if s.0 == 0 => Some(Value::Bool(true)),
        Leaf::Sym(s) if s.0 == 1 => Some(Value::Bv(Bv::new(8, 9))),
        _ => None,
    };
    assert_eq!(eval(&terms, t, &mut leaf), Some(Value::Bv(Bv::new(8, 9))));
    assert_eq!(Evaluation::new().eval(&terms, t, &mut |l, _| leaf(l)), Some(Value::Bv(Bv::new(8, 9))));
}

/// Cells are distinguished by their exact addresses, even where folding knows their distance.
#[test]
fn wide_cells_less_than_a_cell_apart_are_independent() {
    const AT: u64 = 1000;
    let sort = Sort::Array { index: 64, elem: 32 };
    for (written_bits, read_bits) in [(32, 32), (32, 64), (64, 32), (96, 64)] {
        for offset in -13i64..=13 {
            let mut terms = Terms::new();
            let (m, p) = (terms.fresh("m", sort), terms.fresh("p", Sort::Bv(64)));
            let v = terms.fresh("v", Sort::Bv(written_bits));
            let changed = terms.write(m, p, v);
            let at = terms.add_int(p, offset as u64);
            let read = terms.read(changed, at, read_bits);
            let mut memory = ArrayValue::constant(64, Bv::new(32, 7));
            let value = Bv::from_words(written_bits, &[0x1122_3344_5566_7788, 0x99AA_BBCC]);
            let mut leaf = |l| match l {
                Leaf::Sym(s) if s.0 == 0 => Some(Value::Array(memory.clone())),
                Leaf::Sym(s) if s.0 == 1 => Some(Value::Bv(Bv::new(64, AT))),
                _ => Some(Value::Bv(value.clone())),
            };
            let folded = eval(&terms, read, &mut leaf);
            memory.write(AT, &value);
            let want = memory.read(AT.wrapping_add_signed(offset), read_bits);
            assert_eq!(folded, Some(Value::Bv(want)), "{read_bits} bits {offset} bytes after {written_bits} bits");
        }
    }
}
