//! The join of two states of the value analysis: the values that both of them know. `reach::explore` calls every analysis's merge.

use crate::domains::value::{Caller, Pool, Slots, State, ValueCpa, combine};
use crate::program::Program;
use cfa::{FuncId, Sort, VarId};
use std::rc::Rc;

use crate::domains::value::eval::Known;
use crate::domains::value::persistent_map::Values;

impl ValueCpa {
    /// Whether `by` knows nothing that `s` does not know. In contrast to the check by inclusion, this also compares memories cell by
    /// cell.
    pub(super) fn joined_covers(&mut self, program: &Program, s: &State, by: &State) -> bool {
        self.join(program, s, by) == *by
    }

    /// The values that both states know. They must be at the same location, under the same call stack.
    pub(super) fn join(&mut self, program: &Program, a: &State, b: &State) -> State {
        let mut joiner = Joiner { program, slots: &self.slots, pool: &mut self.pool };
        State {
            func: b.func,
            globals: joiner.values(&self.slots.globals, &a.globals, &b.globals),
            locals: joiner.locals(b.func, &a.locals, &b.locals),
            callers: joiner.callers(&a.callers, &b.callers),
        }
    }
}

struct Joiner<'a> {
    program: &'a Program,
    slots: &'a Slots,
    pool: &'a mut Pool,
}

impl Joiner<'_> {
    fn locals(&mut self, f: FuncId, a: &Rc<Values>, b: &Rc<Values>) -> Rc<Values> {
        self.values(self.slots.locals.get(&f).map_or(&[], |vars| vars), a, b)
    }

    /// `b` without the values that differ in `a`; `vars` are the variables of the slots.
    fn values(&mut self, vars: &[VarId], a: &Rc<Values>, b: &Rc<Values>) -> Rc<Values> {
        if Rc::ptr_eq(a, b) {
            return b.clone();
        }
        let mut changes = Vec::new();
        for (slot, word) in b.entries() {
            match a.get(slot) {
                Some(other) if other == word => {}
                Some(other) => changes.push((slot, self.word(vars[slot as usize], other, word))),
                None => changes.push((slot, None)),
            }
        }
        let mut joined = b.clone();
        ValueCpa::make(&mut joined, &mut changes, &[]);
        joined
    }

    /// What two different values of `v` have in common: for memories, the cells known in both with the same value; otherwise nothing.
    fn word(&mut self, v: VarId, a: u64, b: u64) -> Option<u64> {
        let Sort::Array { .. } = self.program.cfa.vars[v].sort else { return None };
        let joined = self.pool.arrays[b as usize].join(&self.pool.arrays[a as usize]);
        self.pool.word(Known::Array(joined))
    }

    fn callers(&mut self, a: &Option<Rc<Caller>>, b: &Option<Rc<Caller>>) -> Option<Rc<Caller>> {
        // Visits frames from the top down to the first one that both share, and joins them from there up. A loop, not recursion, because
        // call stacks may be deep.
        let (mut frames, mut at) = (Vec::new(), (a, b));
        while let (Some(a), Some(b)) = at
            && !Rc::ptr_eq(a, b)
        {
            frames.push((a, b));
            at = (&a.below, &b.below);
        }
        let mut below = at.1.clone();
        for (a, b) in frames.into_iter().rev() {
            let locals = self.locals(b.func, &a.locals, &b.locals);
            let (hash, shape) = below.as_ref().map_or((0, 0), |c| (c.hash, c.shape));
            let (hash, shape) = (combine(hash, locals.hash()), combine(shape, locals.shape()));
            below = Some(Rc::new(Caller { func: b.func, locals, below, hash, shape }));
        }
        below
    }
}
