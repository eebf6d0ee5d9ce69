//! Lowers the instructions on elements of vectors: `extractelement`, `insertelement`, `shufflevector`.

use super::Lowered;
use super::body::Body;
use crate::ir::Value;
use cfa::Term;
use smallvec::smallvec;

impl<'m> Body<'_, '_, 'm> {
    pub(super) fn extract_element(&mut self, inst: Value<'m>) -> Lowered<()> {
        let vals = self.value_or_undef(inst.operand(0))?;
        let index = self.scalar(inst.operand(1))?;
        if let Some(i) = self.terms().as_u64(index) {
            let val = match vals.get(i as usize) {
                Some(v) => *v,
                None => self.undefined_like(vals[0]),
            };
            self.values.insert(inst, smallvec![val]);
            return Ok(());
        }
        let vals = self.value(inst.operand(0))?;
        // An index beyond the end gives an undefined result.
        let mut picked = self.undefined_like(vals[0]);
        for (i, v) in vals.into_iter().enumerate() {
            let hit = self.index_is(index, i);
            picked = self.terms().ite(hit, v, picked);
        }
        self.define(inst, smallvec![picked]);
        Ok(())
    }

    pub(super) fn insert_element(&mut self, inst: Value<'m>) -> Lowered<()> {
        let index = self.scalar(inst.operand(2))?;
        let element = self.value_or_undef(inst.operand(1))?[0];
        if let Some(i) = self.terms().as_u64(index) {
            let mut vals = self.value_or_undef(inst.operand(0))?;
            if let Some(v) = vals.get_mut(i as usize) {
                *v = element;
            }
            self.define(inst, vals);
            return Ok(());
        }
        let mut vals = self.value(inst.operand(0))?;
        let element = self.scalar(inst.operand(1))?;
        for (i, v) in vals.iter_mut().enumerate() {
            let hit = self.index_is(index, i);
            *v = self.terms().ite(hit, element, *v);
        }
        self.define(inst, vals);
        Ok(())
    }

    pub(super) fn shuffle(&mut self, inst: Value<'m>) -> Lowered<()> {
        let mut all = self.value_or_undef(inst.operand(0))?;
        all.extend(self.value_or_undef(inst.operand(1))?);
        let vals = inst
            .shuffle_mask()
            .into_iter()
            .map(|i| match usize::try_from(i).ok().and_then(|i| all.get(i)) {
                Some(v) => *v,
                None => {
                    let bits = self.cx.cfa.terms.width(all[0]);
                    self.cx.undef(bits)
                }
            })
            .collect();
        self.values.insert(inst, vals);
        Ok(())
    }

    fn index_is(&mut self, index: Term, i: usize) -> Term {
        let terms = self.terms();
        let k = terms.int(terms.width(index), i as u64);
        terms.eq(index, k)
    }

    fn undefined_like(&mut self, t: Term) -> Term {
        let bits = self.terms().width(t);
        self.undefined(bits)
    }
}
