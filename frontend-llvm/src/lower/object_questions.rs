//! What other verifiers' functions ask about the object in which an address lies. Preparation knows the answers.

use super::body::Body;
use super::call::CallSite;
use super::{Lowered, Vals};
use crate::builtin::ObjectQuestion;
use cfa::bv::{Bv, BvCmp};
use cfa::{Asks, BlockQuestion, EdgeId, Id, InputKind, Term};

impl<'m> Body<'_, '_, 'm> {
    /// The answer to a question of the program.
    pub(super) fn object_question(&mut self, question: ObjectQuestion, site: &CallSite<'m>) -> Lowered<Vals> {
        match question {
            ObjectQuestion::IsReadable => self.is_in_object(Asks::Left, site),
            ObjectQuestion::IsWritable => self.is_in_object(Asks::LeftToWrite, site),
            ObjectQuestion::IsSame => self.is_same_object(site),
            ObjectQuestion::Answer(asks) => {
                let answer = self.of_object(asks, site, 0)?;
                self.result_if_wanted(site, answer)
            }
        }
    }

    /// Whether the bytes from an address on lie in one object that exists. Of no bytes that lie in none, nothing is known.
    fn is_in_object(&mut self, asks: Asks, site: &CallSite<'m>) -> Lowered<Vals> {
        // How many bytes a call with one argument asks for is known to CBMC's parser only.
        if site.args.len() != 2 {
            return self.input_result(site, unknown(site));
        }
        let left = self.of_object(asks, site, 0)?;
        let bytes = self.size_arg(site, 1)?;
        let zero = self.word(0);
        let word = self.cx.pointer_bits();
        let terms = self.terms();
        let nowhere = terms.constant(&Bv::ones(word));
        let (is_nowhere, nothing) = (terms.eq(left, nowhere), terms.eq(bytes, zero));
        let (exists, enough) = (terms.not(is_nowhere), terms.cmp(BvCmp::Ule, bytes, left));
        let (fits, open) = (terms.and(exists, enough), terms.and(is_nowhere, nothing));
        let mut answer = self.terms().bool_to_bv(fits);
        if self.terms().as_bool(open) != Some(false) {
            let any = self.call_input(site, 1, unknown(site));
            answer = self.terms().ite(open, any, answer);
        }
        self.result_if_wanted(site, answer)
    }

    /// Whether two addresses lie in the same object.
    fn is_same_object(&mut self, site: &CallSite<'m>) -> Lowered<Vals> {
        let (one, other) = (self.of_object(Asks::Begin, site, 0)?, self.of_object(Asks::Begin, site, 1)?);
        let same = self.terms().eq(one, other);
        let answer = self.terms().bool_to_bv(same);
        self.result_if_wanted(site, answer)
    }

    /// The answer to a question about the object in which argument `i` lies; arbitrary, and in no alarm, if it is not known which object that is.
    pub(super) fn of_object(&mut self, asks: Asks, site: &CallSite<'m>, i: usize) -> Lowered<Term> {
        let address = site.arg(i)?;
        let address = self.hold("asked", address);
        let word = self.cx.pointer_bits();
        let answer = self.call_input(site, word, unknown(site));
        let e = EdgeId::from_index(self.cx.next_edge() - 1);
        self.cx.facts.block_questions.insert(e, BlockQuestion { address, asks });
        Ok(answer)
    }
}

/// The kind of an answer that is not known.
fn unknown(site: &CallSite<'_>) -> InputKind {
    InputKind::Approximate(site.name.as_str().into())
}
