//! Backward slices by execution: how often, and with which values, they reach their criterion.

use super::KINDS;
use super::backward::kept;
use super::programs::{random_criterion, random_program};
use cfa::bv::Bv;
use cfa::eval::{Value, eval, eval_bool};
use cfa::term::Leaf;
use cfa::text::print;
use cfa::view::Slice;
use cfa::{Cfa, EdgeId, FuncId, Id, Op, Scope, VarId};
use kerf_testing::Random;
use slicer::dependence::control_dep::ControlKind;
use slicer::{Criterion, SliceOptions};
use std::collections::BTreeMap;

/// The values of the criterion's variables at each visit of its location, in a run of at most `steps` steps; and whether the run ended.
///
/// An edge that is not kept in `slice` does nothing. If it is a branch, the run takes one of the branches at random.
fn visits(
    cfa: &Cfa,
    slice: Option<&Slice>,
    criterion: &Criterion,
    seed: u64,
    steps: usize,
) -> (Vec<Vec<Option<Value>>>, bool) {
    let mut choices = Random::new(seed);
    let acts = |e: EdgeId| slice.is_none_or(|s| s.kept.contains(e.index()));
    let (mut at, mut stack) = (cfa.funcs[cfa.entry].entry, Vec::new());
    let zeros = |f: FuncId| cfa.vars.iter_enumerated().filter(move |(_, v)| v.scope == Scope::Local(f)).map(|(v, _)| v);
    let zero = Value::Bv(Bv::new(8, 0));
    let globals = cfa.vars.iter_enumerated().filter(|(_, v)| v.scope == Scope::Global).map(|(v, _)| v);
    let mut values: BTreeMap<VarId, Value> = globals.chain(zeros(cfa.entry)).map(|v| (v, zero.clone())).collect();
    let mut occurrences: BTreeMap<EdgeId, u64> = BTreeMap::new();
    let mut found = Vec::new();
    for _ in 0..steps {
        if at == criterion.at {
            found.push(criterion.vars.iter().map(|v| values.get(v).cloned()).collect());
        }
        let leaf = |values: &BTreeMap<VarId, Value>, l: Leaf| match l {
            Leaf::Var(v) => values.get(&v).cloned(),
            _ => None,
        };
        let holds = |e: &EdgeId| match &cfa.edges[*e].op {
            Op::Assume { cond, .. } if acts(*e) => {
                eval_bool(&cfa.terms, *cond, &mut |l| leaf(&values, l)).expect("all variables have values")
            }
            _ => true,
        };
        let live = |e: &EdgeId| slice.is_none_or(|s| s.live.contains(e.index()));
        let ways: Vec<EdgeId> = cfa.out(at).iter().copied().filter(live).filter(holds).collect();
        if ways.is_empty() {
            // A location without a live edge ends the run, an exit the activation.
            let returns = at == cfa.funcs[cfa.locs[at].func].exit;
            let Some((back, locals)) = stack.pop().filter(|_| returns) else { return (found, true) };
            values.retain(|v, _| !cfa.is_local(*v));
            values.extend::<BTreeMap<VarId, Value>>(locals);
            at = back;
            continue;
        }
        let e = choices.pick(&ways);
        at = cfa.edges[e].to;
        match &cfa.edges[e].op {
            Op::Assign(list) if acts(e) => {
                for (v, t) in list.iter() {
                    let value = eval(&cfa.terms, *t, &mut |l| leaf(&values, l)).expect("all variables have values");
                    values.insert(*v, value);
                }
            }
            Op::Input { var, .. } if acts(e) => {
                let n = occurrences.entry(e).or_default();
                *n += 1;
                // Mostly small, so that tests go both ways.
                let value = Random::new(seed ^ (u64::from(e.0) << 32) ^ *n).below(3);
                values.insert(*var, Value::Bv(Bv::new(8, value as u64)));
            }
            Op::Call(f) if acts(e) => {
                let locals = values.iter().filter(|(v, _)| cfa.is_local(**v)).map(|(v, x)| (*v, x.clone())).collect();
                stack.push((at, locals));
                values.retain(|v, _| !cfa.is_local(*v));
                values.extend(zeros(*f).map(|v| (v, zero.clone())));
                at = cfa.funcs[*f].entry;
            }
            _ => {}
        }
    }
    (found, false)
}

/// If the program ends, the visits of a slice are a prefix of the program's visits, and those of a slice of the strongest kind are all of
/// them. If the program does not end, they are a prefix unless the slice is of the standard kind.
#[test]
fn slices_come_to_the_criterion() {
    let (mut endless, mut reached) = (0, 0);
    for seed in 0..2_000 {
        let mut random = Random::new(seed);
        let cfa = random_program(&mut random, 1 + seed as usize % 3);
        let criterion = random_criterion(&mut random, &cfa);
        let (program, ends) = visits(&cfa, None, &criterion, seed, 20_000);
        endless += usize::from(!ends);
        reached += usize::from(!program.is_empty());
        for (control, cutoff_diverging) in KINDS.into_iter().flat_map(|k| [(k, false), (k, true)]) {
            let options = SliceOptions { control, cutoff_diverging, ..SliceOptions::default() };
            let (_, slice) = kept(&cfa, &criterion, options);
            let (found, _) = visits(&cfa, Some(&slice), &criterion, seed, if ends { 20_000 } else { 300 });
            let what = || format!("seed {seed}, {options:?}, {criterion:?}\n{}", print(&cfa));
            if ends || control != ControlKind::Standard {
                assert!(program.starts_with(&found), "{found:?} instead of {program:?}: {}", what());
            }
            if ends && control == ControlKind::NtscdDod {
                assert!(found.len() == program.len(), "{found:?} instead of {program:?}: {}", what());
            }
        }
    }
    assert!(endless > 200 && reached > 200, "{endless} runs without an end, {reached} that came to the criterion");
}
