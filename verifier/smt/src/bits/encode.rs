//! Terms as circuits.
//!
//! Each term is encoded once, without recursion. Leaves are inputs, or the circuits of what a substitution puts in their place; terms of
//! array sort have no circuit: `memory` looks through them when they are read.

use super::circuits::{self, Word};
use super::clock::Clock;
use super::direct::{DirectLeaves, comparison};
use super::graph::{Graph, Lit};
use super::memory::{Memories, Reader};
use super::substitution::{Substitution, is_leaf};
use super::sums;
use crate::solver::SolverError;
use cfa::term::Kind;
use cfa::{Sort, Term, Terms};
use rustc_hash::FxHashMap;

/// Gates beyond which a query is too large.
const MAX_GATES: usize = 24_000_000;

/// Widest multiplication and division.
const MAX_ARITHMETIC_BITS: u32 = 256;

/// Terms encoded under one substitution.
pub(crate) struct Encoder {
    pub(crate) graph: Graph,
    pub(crate) substitution: Substitution,
    pub(crate) memories: Memories,
    pub(crate) direct: DirectLeaves,
    words: Words,
    /// Leaves that are inputs, as they were met.
    pub(crate) leaves: Vec<Term>,
}

/// The circuits of terms.
#[derive(Default)]
pub(crate) struct Words {
    of: FxHashMap<Term, (u32, u32)>,
    pool: Vec<Lit>,
}

impl Words {
    /// The circuit of `t`, which has been encoded: one bit of a Bool, none of a memory.
    pub(crate) fn get(&self, t: Term) -> &[Lit] {
        self.of.get(&t).map_or(&[], |&(begin, len)| &self.pool[begin as usize..(begin + len) as usize])
    }

    fn contains(&self, t: Term) -> bool {
        self.of.contains_key(&t)
    }

    fn insert(&mut self, t: Term, word: &[Lit]) {
        self.of.insert(t, (self.pool.len() as u32, word.len() as u32));
        self.pool.extend_from_slice(word);
    }
}

impl Encoder {
    /// An encoder that has met no term.
    pub(crate) fn new(substitution: Substitution) -> Encoder {
        Encoder {
            graph: Graph::new(),
            substitution,
            memories: Memories::default(),
            direct: DirectLeaves::default(),
            words: Words::default(),
            leaves: Vec::new(),
        }
    }

    /// The number of terms encoded.
    pub(crate) fn len(&self) -> usize {
        self.words.of.len()
    }

    /// The circuit of an encoded term.
    pub(crate) fn word(&self, t: Term) -> &[Lit] {
        self.words.get(t)
    }

    /// Encodes the Bool `t`.
    ///
    /// Errors: `Unsupported` for floats, equality of memories and arithmetic on very wide words, `Unknown` where the circuit becomes too
    /// large or time is up.
    pub(crate) fn encode(&mut self, terms: &Terms, t: Term, clock: &mut Clock) -> Result<Lit, SolverError> {
        let mut stack = vec![t];
        while let Some(&top) = stack.last() {
            if self.words.contains(top) {
                stack.pop();
                continue;
            }
            if let Some(l) = self.equals_constant(terms, top) {
                self.words.insert(top, &[l]);
                continue;
            }
            let open = stack.len();
            let mut push = |t: Term| {
                if !self.words.contains(t) {
                    stack.push(t);
                }
            };
            match self.substitution.of.get(&top) {
                Some(d) => d.terms().for_each(&mut push),
                None => terms.args(top).iter().copied().for_each(&mut push),
            }
            if stack.len() > open {
                continue;
            }
            stack.pop();
            clock.tick()?;
            let word = self.circuit(terms, top, clock)?;
            self.words.insert(top, &word);
            if self.graph.len() > MAX_GATES {
                return Err(SolverError::Unknown("too many gates".into()));
            }
        }
        Ok(self.words.get(t).first().copied().unwrap_or(Lit::FALSE))
    }

    /// An input for `t`, where that compares a leaf with a constant and nothing has asked for the leaf's bits.
    fn equals_constant(&mut self, terms: &Terms, t: Term) -> Option<Lit> {
        let (leaf, k) = comparison(terms, t)?;
        let Encoder { graph, substitution, words, direct, .. } = self;
        let known = substitution.of.contains_key(&leaf) || substitution.bits(leaf).is_some() || words.contains(leaf);
        if known || !is_leaf(terms, leaf) { None } else { direct.equals(leaf, &k, || graph.input()) }
    }

    /// The circuit of `t`, whose arguments are encoded.
    fn circuit(&mut self, terms: &Terms, t: Term, clock: &mut Clock) -> Result<Word, SolverError> {
        let Encoder { graph: g, words, .. } = self;
        if let Some(d) = self.substitution.of.get(&t) {
            return Ok(if d.memory().is_some() && is_array(terms, t) {
                Word::new()
            } else {
                d.circuit(g, |t| words.get(t))
            });
        }
        if is_leaf(terms, t) {
            self.leaves.push(t);
            let width = match terms.sort(t) {
                Sort::Bool => 1,
                Sort::Bv(w) => w,
                Sort::Array { .. } => 0,
            };
            let free = self.substitution.bits(t).unwrap_or(width);
            let word: Word = (0..width).map(|i| if i < free { g.input() } else { Lit::FALSE }).collect();
            self.direct.give_bits(t, &word);
            return Ok(word);
        }
        let node = terms.node(t);
        let arg = |i: usize| words.get(node.args[i]);
        Ok(match node.kind {
            Kind::Const(_) | Kind::BigConst(_) => terms.as_bv(t).map(|v| circuits::constant(&v)).unwrap_or_default(),
            Kind::Bool(b) => vec![Lit::constant(b)],
            Kind::Not | Kind::BvNot => circuits::not(arg(0)),
            Kind::And => vec![g.and(arg(0)[0], arg(1)[0])],
            Kind::Or => vec![g.or(arg(0)[0], arg(1)[0])],
            Kind::Ite => circuits::choose(g, arg(0)[0], arg(1), arg(2)),
            Kind::Eq if is_array(terms, node.args[0]) => return Err(unsupported("equality of memories")),
            Kind::Eq => {
                let by_cases = match terms.sort(node.args[0]) {
                    Sort::Bv(_) => sums::equal(g, words, terms, node.args[0], node.args[1]),
                    _ => None,
                };
                vec![by_cases.unwrap_or_else(|| circuits::equal(g, words.get(node.args[0]), words.get(node.args[1])))]
            }
            Kind::Bv(op) => {
                use cfa::bv::BvOp::{Mul, Sdiv, Srem, Udiv, Urem};
                if node.sort.width() > MAX_ARITHMETIC_BITS && matches!(op, Mul | Sdiv | Srem | Udiv | Urem) {
                    return Err(unsupported("arithmetic on very wide words"));
                }
                circuits::binary(g, op, arg(0), arg(1))
            }
            Kind::Cmp(cmp) => vec![circuits::compare(g, cmp, arg(0), arg(1))],
            Kind::BvNeg => circuits::neg(g, arg(0)),
            Kind::Extract { hi, lo } => arg(0)[lo as usize..=hi as usize].to_vec(),
            Kind::Concat => [arg(1), arg(0)].concat(),
            Kind::Zext | Kind::Sext => {
                let mut word = arg(0).to_vec();
                let sign = if node.kind == Kind::Sext { word[word.len() - 1] } else { Lit::FALSE };
                word.resize(node.sort.width() as usize, sign);
                word
            }
            Kind::Read => self.read(terms, t, clock)?,
            Kind::Write | Kind::ConstArray | Kind::Copy => Word::new(),
            Kind::Float(..) => return Err(unsupported("floats")),
            Kind::Var(_) | Kind::Sym(_) | Kind::Addr(_) => Word::new(),
        })
    }

    /// The cells that `t` reads.
    fn read(&mut self, terms: &Terms, t: Term, clock: &mut Clock) -> Result<Word, SolverError> {
        let [memory, at] = *terms.args(t) else { return Err(unsupported("a read without an address")) };
        let Sort::Array { elem, .. } = terms.sort(memory) else { return Err(unsupported("a read of no memory")) };
        let Encoder { graph, substitution, memories, words, .. } = self;
        let mut reader = Reader { memories, terms, graph, substitution, words, clock };
        let mut word = Word::new();
        for i in 0..terms.width(t) / elem {
            word.extend(reader.cell_behind(memory, at, u64::from(i * elem / 8))?);
        }
        Ok(word)
    }
}

fn is_array(terms: &Terms, t: Term) -> bool {
    matches!(terms.sort(t), Sort::Array { .. })
}

pub(crate) fn unsupported(what: &str) -> SolverError {
    SolverError::Unsupported(what.into())
}
