//! What the environment hands over: notes for reports and native runs, beside the arbitrary contents that arrive.

use super::body::Body;
use super::call::CallSite;
use super::{Lowered, Vals};
use cfa::term::Kind;
use cfa::{Delivered, Delivery, Term};

impl<'m> Body<'_, '_, 'm> {
    /// `__kerf_delivery("what", of, address, bytes, detail)`.
    pub(super) fn library_delivery(&mut self, site: &CallSite<'m>) -> Lowered<Vals> {
        let what = self.string_arg(site, 0).and_then(|name| named(&name)).ok_or("a delivery of no known kind")?;
        let terms = [site.arg(1)?, site.arg(2)?, site.arg(3)?, site.arg(4)?];
        self.deliver(what, terms);
        Ok(Vals::new())
    }

    /// Notes what the environment has handed over.
    pub(super) fn deliver(&mut self, what: Delivered, terms: [Term; 4]) {
        let [of, address, bytes, detail] = terms.map(|t| match self.terms().kind(t) {
            Kind::Const(_) | Kind::Var(_) => t,
            _ => self.hold("delivered", t),
        });
        let e = self.skip();
        self.cx.cfa.deliveries.insert(e, Delivery { what, of, address, bytes, detail });
    }
}

/// What a model calls by this name.
fn named(name: &str) -> Option<Delivered> {
    Some(match name {
        "variable" => Delivered::Variable,
        "bytes" => Delivered::Bytes,
        "line" => Delivered::Line,
        "character" => Delivered::Character,
        "literal" => Delivered::Literal,
        "blank" => Delivered::Blank,
        "skipped" => Delivered::Skipped,
        "unreadable" => Delivered::Unreadable,
        "written" => Delivered::Written,
        "word" => Delivered::Word,
        "number" => Delivered::Number,
        "mismatch" => Delivered::Mismatch,
        "opened" => Delivered::Opened,
        "not opened" => Delivered::NotOpened,
        "moved" => Delivered::Moved,
        "folder" => Delivered::Folder,
        "name" => Delivered::Name,
        _ => return None,
    })
}
