//! Tables: gates that depend on few inputs are computed for all values of these.
//!
//! A formula about one unknown byte has 256 cases, however large it is. Where it inverts what is made to be hard to invert (a cipher, a
//! hash), learning of clauses does not beat computing them all, 256 at a time, each gate with a few instructions for all of them.
//! Exhaustive simulation is used in the same way where circuits are compared (Mishchenko, Chatterjee, Brayton, Een, Improvements to
//! combinational equivalence checking, ICCAD 2006).
//!
//! ```text
//! inputs a, b        cases   a 0101   b 0011
//! a and b, a xor b   table     0001     0110     never both
//! ```

use super::deadline::Deadline;
use super::graph::{Gate, Graph, Lit};
use crate::solver::SolverError;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

/// Maximum number of inputs.
const MAX_INPUTS: usize = 24;

/// Maximum number of gates, which bounds the memory: some 100 bytes for each.
const MAX_GATES: usize = 1 << 22;

/// Number of words of 64 cases that are computed at a time.
const WORDS: usize = 4;

/// Log2 of the number of cases that are computed at a time.
const LANE_BITS: usize = 8;

/// The values of a gate in the cases that are computed at a time.
type Lanes = [u64; WORDS];

/// What a table says of literals.
pub(crate) enum Found {
    /// Not all of those with these indices hold, whatever the inputs are.
    Never(Vec<usize>),
    /// All hold where these, which are inputs or their negations, hold.
    Where(Vec<Lit>),
}

/// Gates in the order in which they are computed; arguments are positions in that order.
struct Cone {
    gates: Vec<Gate>,
    /// The gates in the graph that are inputs, and their positions.
    inputs: Vec<(u32, usize)>,
    /// The literals that are asked about.
    roots: Vec<Lit>,
}

impl Cone {
    /// The gates on which `roots` depend; `None` if there are more than [`MAX_INPUTS`] inputs or [`MAX_GATES`] gates, or the table takes more than `most`
    /// words.
    fn of(graph: &Graph, roots: &[Lit], most: u64) -> Option<Cone> {
        let mut seen = FixedBitSet::with_capacity(graph.len());
        let mut stack: Vec<u32> = roots.iter().map(|l| l.gate()).collect();
        let (mut order, mut inputs) = (Vec::new(), 0);
        while let Some(i) = stack.pop() {
            if seen.put(i as usize) {
                continue;
            }
            order.push(i);
            inputs += usize::from(graph.gate(i) == Gate::Input);
            if inputs > MAX_INPUTS || order.len() > MAX_GATES || words(order.len(), inputs) > most {
                return None;
            }
            stack.extend(graph.args(i).iter().map(|l| l.gate()));
        }
        // Arguments have smaller numbers than the gates that use them.
        order.sort_unstable();
        let position: FxHashMap<u32, u32> = order.iter().zip(0..).map(|(gate, at)| (*gate, at)).collect();
        let local = |l: Lit| Lit::positive(position[&l.gate()]).flip_if(l.negated());
        let gates: Vec<Gate> = order
            .iter()
            .map(|&i| match graph.gate(i) {
                Gate::And(a, b) => Gate::And(local(a), local(b)),
                Gate::Xor(a, b) => Gate::Xor(local(a), local(b)),
                Gate::Mux(c, t, e) => Gate::Mux(local(c), local(t), local(e)),
                Gate::Maj(a, b, c) => Gate::Maj(local(a), local(b), local(c)),
                gate => gate,
            })
            .collect();
        let is_input = |at: &usize| gates[*at] == Gate::Input;
        let inputs = (0..gates.len()).filter(is_input).map(|at| (order[at], at)).collect();
        Some(Cone { inputs, roots: roots.iter().map(|l| local(*l)).collect(), gates })
    }

    /// Computes the gates for the cases of `block`.
    fn compute(&self, block: u64, values: &mut [Lanes]) {
        for (i, (_, at)) in self.inputs.iter().enumerate() {
            values[*at] = std::array::from_fn(|word| input(i, block, word));
        }
        for (at, gate) in self.gates.iter().enumerate() {
            let of = |l: Lit| {
                let mask = 0u64.wrapping_sub(u64::from(l.negated()));
                values[l.gate() as usize].map(|w| w ^ mask)
            };
            values[at] = match *gate {
                Gate::Input => continue,
                Gate::False => [0; WORDS],
                Gate::And(a, b) => zip(of(a), of(b), |a, b| a & b),
                Gate::Xor(a, b) => zip(of(a), of(b), |a, b| a ^ b),
                Gate::Mux(c, t, e) => {
                    let (c, t, e) = (of(c), of(t), of(e));
                    std::array::from_fn(|i| e[i] ^ (c[i] & (t[i] ^ e[i])))
                }
                Gate::Maj(a, b, c) => {
                    let (a, b, c) = (of(a), of(b), of(c));
                    std::array::from_fn(|i| (a[i] & b[i]) | (c[i] & (a[i] | b[i])))
                }
            };
        }
    }

    /// The values of the inputs in case number `case` of `block`.
    fn case(&self, block: u64, case: usize) -> Vec<Lit> {
        let value = |i: usize| input(i, block, case / 64) >> (case % 64) & 1 == 1;
        self.inputs.iter().enumerate().map(|(i, (gate, _))| Lit::positive(*gate).flip_if(!value(i))).collect()
    }
}

/// The number of words that the table of a cone takes.
fn words(gates: usize, inputs: usize) -> u64 {
    (gates as u64) << inputs.saturating_sub(6)
}

/// The values of input number `i` in the 64 cases of a word of `block`.
fn input(i: usize, block: u64, word: usize) -> u64 {
    const WITHIN: [u64; 6] = [
        0xaaaa_aaaa_aaaa_aaaa,
        0xcccc_cccc_cccc_cccc,
        0xf0f0_f0f0_f0f0_f0f0,
        0xff00_ff00_ff00_ff00,
        0xffff_0000_ffff_0000,
        0xffff_ffff_0000_0000,
    ];
    let bit = match i {
        0..6 => return WITHIN[i],
        6..LANE_BITS => word as u64 >> (i - 6),
        _ => block >> (i - LANE_BITS),
    };
    0u64.wrapping_sub(bit & 1)
}

fn zip(a: Lanes, b: Lanes, f: impl Fn(u64, u64) -> u64) -> Lanes {
    std::array::from_fn(|i| f(a[i], b[i]))
}

fn ones(lanes: &Lanes) -> u32 {
    lanes.iter().map(|w| w.count_ones()).sum()
}

/// Whether all of `roots` can hold, by a table; inputs count as free. `None` if there are too many inputs, or the table takes more than `most`
/// words.
///
/// # Errors
/// `Unknown` if time is up.
pub(crate) fn tabulate(
    graph: &Graph,
    roots: &[Lit],
    most: u64,
    deadline: &Deadline,
) -> Result<Option<Found>, SolverError> {
    let Some(cone) = Cone::of(graph, roots, most) else { return Ok(None) };
    let mut values: Vec<Lanes> = vec![[0; WORDS]; cone.gates.len()];
    // The roots that are needed so that never all of them hold.
    let mut core: Vec<usize> = Vec::new();
    for block in 0..1u64 << cone.inputs.len().saturating_sub(LANE_BITS) {
        // Each block may take long.
        if deadline.over() {
            return Err(deadline.reason());
        }
        cone.compute(block, &mut values);
        let with = |all: Lanes, i: usize| {
            let root = cone.roots[i];
            let mask = 0u64.wrapping_sub(u64::from(root.negated()));
            zip(all, values[root.gate() as usize], |all, root| all & (root ^ mask))
        };
        let mut all = core.iter().fold([u64::MAX; WORDS], |all, &i| with(all, i));
        while ones(&all) > 0 {
            let best = (0..cone.roots.len()).min_by_key(|&i| ones(&with(all, i)));
            let Some(best) = best.filter(|&i| ones(&with(all, i)) < ones(&all)) else {
                let word = all.iter().position(|w| *w != 0).unwrap_or(0);
                let case = 64 * word + all[word].trailing_zeros() as usize;
                return Ok(Some(Found::Where(cone.case(block, case))));
            };
            core.push(best);
            all = with(all, best);
        }
    }
    core.sort_unstable();
    Ok(Some(Found::Never(core)))
}
