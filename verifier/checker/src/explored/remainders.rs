//! What is known of the low bits of variables whatever happens: a counter that starts at 1 and goes by twos is odd.
//!
//! ```text
//! value of a variable   its lowest n bits are those of r, that is, it is r modulo 2^n    (n = 0: anything; unset: no value yet)
//! join                  the longest common suffix of bits
//! transfer              bit n of a sum, a product, a bitwise operation or a choice depends on bits up to n of its operands only
//! ```
//!
//! The analysis joins all assignments of a variable, in any order, so that a variable has its value from its first assignment on. It holds
//! only for variables that are not read before: locals that are written first, and globals that the entry function sets before it calls
//! or tests anything.

use super::unset::unset;
use cfa::bv::BvOp;
use cfa::term::Kind;
use cfa::view::View;
use cfa::{Cfa, Id, Op, Range, Scope, Sort, Term, Terms, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The lowest `n` bits of a number, as those of `bits`, whose others are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Low {
    n: u32,
    bits: u64,
}

impl Low {
    const UNKNOWN: Low = Low { n: 0, bits: 0 };

    fn new(n: u32, number: u64) -> Low {
        let n = n.min(64);
        Low { n, bits: if n == 64 { number } else { number & ((1 << n) - 1) } }
    }

    fn join(self, other: Low) -> Low {
        Low::new(self.n.min(other.n).min((self.bits ^ other.bits).trailing_zeros()), self.bits)
    }
}

/// The remainders of all variables modulo powers of two.
pub struct Remainders(Vec<Low>);

impl Remainders {
    /// Analyses the operations of `view`. Cost: linear in their size, times 64 at most.
    pub fn new(cfa: &Cfa, view: &View) -> Remainders {
        let mut assignments: Vec<(VarId, Option<Term>)> = Vec::new();
        for l in view.reachable(cfa) {
            for e in view.out(l) {
                match view.op(cfa, e) {
                    Op::Assign(list) => assignments.extend(list.iter().map(|(v, t)| (*v, Some(*t)))),
                    op => assignments.extend(op.written().into_iter().map(|v| (v, None))),
                }
            }
        }
        let set_first = set_first(cfa, view);
        let unset: FxHashSet<VarId> = unset(cfa, view).into_iter().flatten().collect();
        let is_set = |v: VarId| match cfa.vars[v].scope {
            Scope::Global => set_first.contains(&v),
            Scope::Local(_) => !unset.contains(&v),
        };
        let has_range = |v: VarId| Range::of_sort(cfa.vars[v].sort).is_some();
        let known = |v: VarId| is_set(v) && has_range(v);
        let mut values: Vec<Option<Low>> =
            cfa.vars.ids().map(|v| if known(v) { None } else { Some(Low::UNKNOWN) }).collect();
        let mut users: FxHashMap<VarId, Vec<usize>> = FxHashMap::default();
        for (i, (_, t)) in assignments.iter().enumerate() {
            t.iter().flat_map(|t| cfa.terms.vars(*t)).for_each(|v| users.entry(v).or_default().push(i));
        }
        let mut todo: Vec<usize> = (0..assignments.len()).collect();
        while let Some(i) = todo.pop() {
            let (v, t) = assignments[i];
            let assigned = match t {
                Some(t) if values[v.index()] != Some(Low::UNKNOWN) => value(cfa, &values, t),
                _ => Some(Low::UNKNOWN),
            };
            let Some(assigned) = assigned else { continue };
            let joined = values[v.index()].map_or(assigned, |old| old.join(assigned));
            if values[v.index()] != Some(joined) {
                values[v.index()] = Some(joined);
                todo.extend(users.get(&v).into_iter().flatten());
            }
        }
        // What is never assigned may have any value.
        Remainders(values.into_iter().map(|low| low.unwrap_or(Low::UNKNOWN)).collect())
    }

    /// The variable, if `condition` is an equality of a variable with a constant that never holds.
    pub fn refuted(&self, terms: &Terms, condition: Term) -> Option<VarId> {
        let &[a, b] = terms.args(condition) else { return None };
        match (terms.kind(condition), terms.kind(a), terms.as_bv(b).and_then(|k| k.to_i64())) {
            (Kind::Eq, Kind::Var(v), Some(k)) if self.exclude(v, k) => Some(v),
            _ => None,
        }
    }

    /// Whether `v` is never `k`, a number of the variable's width.
    fn exclude(&self, v: VarId, k: i64) -> bool {
        let Low { n, bits } = self.0[v.index()];
        Low::new(n, k as u64).bits != bits
    }
}

/// The globals that the entry function sets before its first call or test.
fn set_first(cfa: &Cfa, view: &View) -> FxHashSet<VarId> {
    let mut found = FxHashSet::default();
    let mut read: FxHashSet<VarId> = FxHashSet::default();
    let mut at = view.rep(cfa.funcs[cfa.entry].entry);
    let mut seen = FxHashSet::default();
    while let [only] = view.out(at)
        && seen.insert(at)
    {
        let op = view.op(cfa, only);
        match op {
            Op::Skip | Op::Assign(_) | Op::Input { .. } => {}
            _ => break,
        }
        read.extend(op.terms().iter().flat_map(|t| cfa.terms.vars(*t)));
        found.extend(op.written().into_iter().filter(|v| !read.contains(v)));
        at = only.to;
    }
    found
}

/// The low bits of a term; `None` if a variable that it needs has no value yet.
fn value(cfa: &Cfa, values: &[Option<Low>], t: Term) -> Option<Low> {
    // Terms may be too deep for recursion.
    let mut done: FxHashMap<Term, Option<Low>> = FxHashMap::default();
    let mut todo = vec![t];
    while let Some(&t) = todo.last() {
        if done.contains_key(&t) {
            todo.pop();
            continue;
        }
        let needed = operands(cfa, t);
        let missing: Vec<Term> = needed.iter().copied().filter(|a| !done.contains_key(a)).collect();
        if missing.is_empty() {
            let parts: Option<Vec<Low>> = needed.iter().map(|a| done[a]).collect();
            let low = match cfa.terms.kind(t) {
                Kind::Var(v) => values[v.index()],
                // A choice has a value as soon as one of its sides has.
                Kind::Ite => match (done[&needed[0]], done[&needed[1]]) {
                    (Some(a), Some(b)) => Some(a.join(b)),
                    (a, b) => a.or(b),
                },
                _ => parts.map(|parts| combined(cfa, t, &parts)),
            };
            done.insert(t, low);
            todo.pop();
        } else {
            todo.extend(missing);
        }
    }
    done[&t]
}

/// The operands on whose low bits those of `t` depend, as far as [`combined`] follows them.
fn operands(cfa: &Cfa, t: Term) -> Vec<Term> {
    let args = cfa.terms.args(t);
    match cfa.terms.kind(t) {
        Kind::Ite if matches!(cfa.terms.sort(t), Sort::Bv(_)) => args[1..].to_vec(),
        Kind::Bv(BvOp::Add | BvOp::Sub | BvOp::Mul | BvOp::And | BvOp::Or | BvOp::Xor)
        | Kind::BvNot
        | Kind::BvNeg
        | Kind::Zext
        | Kind::Sext
        | Kind::Extract { lo: 0, .. } => args.to_vec(),
        _ => Vec::new(),
    }
}

/// The low bits of `t`, whose [`operands`] have those of `parts`.
fn combined(cfa: &Cfa, t: Term, parts: &[Low]) -> Low {
    let terms = &cfa.terms;
    let Sort::Bv(width) = terms.sort(t) else { return Low::UNKNOWN };
    let n = parts.iter().map(|p| p.n).min().unwrap_or(0).min(width);
    let all = |f: fn(u64, u64) -> u64| {
        let number = parts[1..].iter().fold(parts[0].bits, |a, b| f(a, b.bits));
        Low::new(n, number)
    };
    match terms.kind(t) {
        Kind::Const(_) => terms.as_bv(t).and_then(|k| k.to_i64()).map_or(Low::UNKNOWN, |k| Low::new(width, k as u64)),
        Kind::Bv(BvOp::Add) => all(u64::wrapping_add),
        Kind::Bv(BvOp::Sub) => all(u64::wrapping_sub),
        Kind::Bv(BvOp::Mul) => all(u64::wrapping_mul),
        Kind::Bv(BvOp::And) => all(|a, b| a & b),
        Kind::Bv(BvOp::Or) => all(|a, b| a | b),
        Kind::Bv(BvOp::Xor) => all(|a, b| a ^ b),
        Kind::BvNot => Low::new(n, !parts[0].bits),
        Kind::BvNeg => Low::new(n, parts[0].bits.wrapping_neg()),
        Kind::Zext | Kind::Sext | Kind::Extract { lo: 0, .. } => Low::new(n, parts[0].bits),
        _ => Low::UNKNOWN,
    }
}

#[cfg(test)]
mod tests {
    use super::Remainders;
    use cfa::text::parse;
    use cfa::view::{Slice, View};
    use cfa::{Id, VarId};

    const PROGRAM: &str = "cfa 1
pointer_bits 64
entry main
func main entry l0 exit l9
var odd bv32
var late bv32
var any bv32
var sum bv32
var never bv32
in main
  l0 -> l1: odd := 1:32
  l1 -> l2: sum := late
  l2 -> l3: late := 4:32
  l3 -> l4: any := ? program \"input\"
  l4 -> l5: odd := (bvadd odd (ite (bvslt any 7:32) 2:32 6:32))
  l5 -> l4: sum := (bvmul odd 4:32)
  l4 -> l9: [(= any 3:32)]
";

    #[test]
    fn bits_that_do_not_change() {
        let cfa = parse(PROGRAM).expect("a program");
        let view = View::new(&cfa, &Slice::whole(&cfa));
        let found = Remainders::new(&cfa, &view);
        let [odd, late, any, sum, never] = [0, 1, 2, 3, 4].map(VarId::from_index);
        assert!(found.exclude(odd, 2690) && found.exclude(odd, 0) && !found.exclude(odd, -1));
        // Read before it is written.
        assert!(!found.exclude(late, 5));
        assert!(!found.exclude(any, 5) && !found.exclude(sum, 5) && !found.exclude(never, 5));
    }

    /// Where two bits are known, the third may be anything.
    #[test]
    fn several_bits() {
        let text = PROGRAM.replace("sum := late", "sum := 12:32").replace("2:32 6:32", "8:32 16:32");
        let cfa = parse(&text).expect("a program");
        let found = Remainders::new(&cfa, &View::new(&cfa, &Slice::whole(&cfa)));
        let [odd, sum] = [0, 3].map(VarId::from_index);
        assert!(found.exclude(odd, 3) && found.exclude(odd, 5) && !found.exclude(odd, 9) && !found.exclude(odd, 17));
        assert!(found.exclude(sum, 5) && found.exclude(sum, 2) && !found.exclude(sum, 4) && !found.exclude(sum, 36));
    }
}
