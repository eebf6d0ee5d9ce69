//! Interpolants in two steps: first at some cuts of a trace, its *landmarks*, then between them.
//!
//! A trace that is cut after each of its steps has an interpolant everywhere; those at the heads of loops decide whether the same reason holds
//! for the next iteration. Where all are made together, the smallest sequence counts, and at one head among many cuts an interpolant that
//! speaks of one iteration is hardly larger than one that speaks of all. Between landmarks with `I` and `J`,
//!
//! ```text
//! (I and A_1), A_2, .., (A_k and not J)
//! ```
//!
//! is a trace of its own, whose interpolants are those of the whole trace there.

use super::{Interpolation, Interpolator, Loop, Sequence, SolverError, Trace};
use cfa::Terms;

impl Interpolator {
    /// Interpolants that are not nested: at the landmarks first, if there are any. If those between landmarks are not found, all are made at
    /// once.
    pub(super) fn by_landmarks(&mut self, terms: &mut Terms, trace: &Trace) -> Result<Interpolation, SolverError> {
        let cuts = trace.parts.len().saturating_sub(1);
        if trace.landmarks.is_empty() || trace.landmarks.len() == cuts {
            return self.plain(terms, trace);
        }
        let coarse = coarse(terms, trace);
        match self.plain(terms, &coarse)? {
            Interpolation::Found(coarse) => match self.between(terms, trace, &coarse)? {
                Some(sequence) => Ok(Interpolation::Found(sequence)),
                None => self.plain(terms, trace),
            },
            Interpolation::Satisfiable => Ok(Interpolation::Satisfiable),
            Interpolation::NotFound => self.plain(terms, trace),
        }
    }

    /// The interpolants between those at the landmarks.
    fn between(
        &mut self,
        terms: &mut Terms,
        trace: &Trace,
        coarse: &Sequence,
    ) -> Result<Option<Sequence>, SolverError> {
        let mut interpolants = Vec::with_capacity(trace.parts.len());
        let mut before = terms.tt();
        let ends = trace.landmarks.iter().copied().zip(coarse.interpolants.iter().copied());
        let last = (trace.parts.len() - 1, terms.ff());
        for (end, after) in ends.chain([last]) {
            let begin = interpolants.len();
            let mut segment = Trace::new(trace.parts[begin..=end].to_vec());
            let not = terms.not(after);
            let (first, last) = (segment.parts[0], segment.parts.len() - 1);
            segment.parts[0] = terms.and(before, first);
            segment.parts[last] = terms.and(segment.parts[last], not);
            segment.state = trace.state.as_ref().map(|state| state[begin..end].to_vec());
            if last > 0 {
                let Interpolation::Found(found) = self.plain(terms, &segment)? else { return Ok(None) };
                interpolants.extend(found.interpolants);
            }
            interpolants.push(after);
            before = after;
        }
        interpolants.pop();
        Ok(Some(Sequence { interpolants, ..coarse.clone() }))
    }
}

/// The trace that is cut at its landmarks only.
fn coarse(terms: &mut Terms, trace: &Trace) -> Trace {
    let mut coarse = Trace::default();
    let mut begin = 0;
    for end in trace.landmarks.iter().map(|cut| cut + 1).chain([trace.parts.len()]) {
        coarse.parts.push(terms.and_all(trace.parts[begin..end].iter().copied()));
        begin = end;
    }
    coarse.state = trace.state.as_ref().map(|state| trace.landmarks.iter().map(|cut| state[*cut].clone()).collect());
    let number = |cut: &usize| trace.landmarks.binary_search(cut).ok();
    let loops = trace.loops.iter();
    coarse.loops = loops
        .filter_map(|Loop { from, to, back }| Some(Loop { from: number(from)?, to: number(to)?, back: back.clone() }))
        .collect();
    coarse
}
