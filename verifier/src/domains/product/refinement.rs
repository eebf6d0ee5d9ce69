//! How the precision of a composition is refined: each part has one of its own.

use super::{Parts, Precisions};
use crate::cpa::Step;
use crate::cpa::precision::{Refinable, Tracked};
use crate::program::Program;

impl Refinable for Parts {
    /// First the first part alone tracks `tracked`, then the first two, and so on.
    fn precisions(&self, tracked: &Tracked) -> Vec<Precisions> {
        let (mut all, mut so_far) = (Vec::new(), Precisions::default());
        macro_rules! leave_out {
            ($part:ident, $kind:ident) => {
                so_far.$part = self.analyses.$part.as_ref().map(|cpa| cpa.empty_precision());
            };
        }
        for_each_part!(leave_out);
        macro_rules! add {
            ($part:ident, $kind:ident) => {
                if let Some(cpa) = &self.analyses.$part {
                    so_far.$part = Some(cpa.tracking(tracked));
                    all.push(so_far.clone());
                }
            };
        }
        for_each_part!(add);
        all
    }

    fn join(&self, a: &Precisions, b: &Precisions) -> Precisions {
        let mut joined = Precisions::default();
        macro_rules! join {
            ($part:ident, $kind:ident) => {
                if let (Some(cpa), Some(a), Some(b)) = (&self.analyses.$part, &a.$part, &b.$part) {
                    joined.$part = Some(Refinable::join(&**cpa, a, b));
                }
            };
        }
        for_each_part!(join);
        joined
    }

    fn asks_more(&self, pi: &Precisions, before: &Precisions, program: &Program, step: &Step<'_>) -> bool {
        let mut more = false;
        macro_rules! ask {
            ($part:ident, $kind:ident) => {
                if let (Some(cpa), Some(pi), Some(before)) = (&self.analyses.$part, &pi.$part, &before.$part) {
                    more |= cpa.asks_more(pi, before, program, step);
                }
            };
        }
        for_each_part!(ask);
        more
    }
}
