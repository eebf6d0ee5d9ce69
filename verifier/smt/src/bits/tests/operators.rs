//! Tests of circuits against evaluation, over all operators and widths.

use crate::bits::circuits::{self, Word};
use crate::bits::graph::{Gate, Graph, Lit};
use cfa::bv::{Bv, BvCmp, BvOp};
use kerf_testing::Random;
use rustc_hash::FxHashMap;

/// Number of assignments that one simulation tries.
const BATCH: usize = 64;

/// The values of all gates; `input` returns those of inputs by index.
fn simulate(g: &Graph, input: impl Fn(u32) -> u64) -> Vec<u64> {
    let mut values: Vec<u64> = Vec::with_capacity(g.len());
    for i in 0..g.len() as u32 {
        let of = |l: Lit| values[l.gate() as usize] ^ if l.negated() { u64::MAX } else { 0 };
        let v = match g.gate(i) {
            Gate::False => 0,
            Gate::Input => input(i),
            Gate::And(a, b) => of(a) & of(b),
            Gate::Xor(a, b) => of(a) ^ of(b),
            Gate::Mux(c, t, e) => (of(c) & of(t)) | (!of(c) & of(e)),
            Gate::Maj(a, b, c) => (of(a) & of(b)) | (of(a) & of(c)) | (of(b) & of(c)),
        };
        values.push(v);
    }
    values
}

/// Two operands, each an input or a constant.
struct Operands {
    words: [Word; 2],
    fixed: [Option<Bv>; 2],
}

impl Operands {
    fn new(g: &mut Graph, rng: &mut Random, width: u32, constants: bool) -> Operands {
        let side = if constants { rng.below(2) } else { 2 };
        let fixed = [0, 1].map(|i| (i == side).then(|| constant(rng, width)));
        let words = fixed.clone().map(|f| match f {
            Some(v) => circuits::constant(&v),
            None => (0..width).map(|_| g.input()).collect(),
        });
        Operands { words, fixed }
    }
}

/// The function that an operator computes on values.
type Meaning = Box<dyn Fn(&Bv, &Bv) -> Bv>;

/// A constant; a power of two once in three times.
fn constant(rng: &mut Random, width: u32) -> Bv {
    if !rng.one_in(3) {
        return rng.bits(width);
    }
    let (one, by) = (Bv::new(width, 1), Bv::new(width, rng.below(u64::from(width))));
    Bv::apply(BvOp::Shl, &one, &by)
}

/// Tries `batches` times `BATCH` values on the circuits of all operators of `width`; returns how many values were tried.
fn check_operators(seed: u64, width: u32, batches: usize, constants: bool) -> usize {
    let mut rng = Random::new(seed);
    let mut tried = 0;
    for op in 0..BvOp::ALL.len() + BvCmp::ALL.len() + 1 {
        let mut g = Graph::new();
        let operands = Operands::new(&mut g, &mut rng, width, constants);
        let [a, b] = &operands.words;
        let (result, meaning): (Word, Meaning) = match op {
            0..13 => {
                (circuits::binary(&mut g, BvOp::ALL[op], a, b), Box::new(move |a, b| Bv::apply(BvOp::ALL[op], a, b)))
            }
            13..17 => {
                let cmp = BvCmp::ALL[op - 13];
                let meaning = move |a: &Bv, b: &Bv| Bv::new(1, u64::from(Bv::compare(cmp, a, b)));
                (vec![circuits::compare(&mut g, cmp, a, b)], Box::new(meaning))
            }
            _ => (vec![circuits::equal(&mut g, a, b)], Box::new(|a, b| Bv::new(1, u64::from(a == b)))),
        };
        for _ in 0..batches {
            let values: Vec<[Bv; 2]> = (0..BATCH)
                .map(|_| {
                    let equal = operands.fixed == [None, None] && rng.one_in(8);
                    let [a, b] = operands.fixed.clone().map(|f| f.unwrap_or_else(|| rng.bits(width)));
                    if equal { [a.clone(), a] } else { [a, b] }
                })
                .collect();
            let mut inputs: FxHashMap<u32, u64> = FxHashMap::default();
            for side in [0, 1] {
                for (k, l) in operands.words[side].iter().enumerate() {
                    let bits = (0..BATCH).map(|n| u64::from(values[n][side].bit(k as u32)) << n).sum();
                    inputs.insert(l.gate(), bits);
                }
            }
            let all = simulate(&g, |i| inputs[&i]);
            for (n, [a, b]) in values.iter().enumerate() {
                let want = meaning(a, b);
                for (k, l) in result.iter().enumerate() {
                    let bit = (all[l.gate() as usize] >> n) & 1 == 1;
                    assert_eq!(
                        bit != l.negated(),
                        want.bit(k as u32),
                        "operator {op}, bit {k}: {a} and {b} give {want}"
                    );
                }
            }
            tried += BATCH;
        }
    }
    tried
}

/// A million values, over all operators and widths.
#[test]
fn circuits_mean_what_evaluation_means() {
    let mut tried = 0;
    for width in (1..=64).chain([65, 100, 128]) {
        let batches = if width <= 64 { 12 } else { 4 };
        tried += check_operators(u64::from(width), width, batches, false);
        for seed in 0..6 {
            tried += check_operators(u64::from(width) * 1000 + seed, width, 1, true);
        }
    }
    assert!(tried >= 1_000_000, "{tried}");
}
