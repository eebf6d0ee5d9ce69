//! What a program finds out about addresses: differences that lead from one object to another, and operations that expose an object.

use super::Constraints;
use crate::points_to::location::Flow;
use crate::points_to::solver::{Node, Solver, Summary};
use cfa::bv::BvOp;
use cfa::term::Kind;
use cfa::{ObjectKind, Term};

/// The difference of two values, which carries a pointer unless both point into one object.
pub(super) struct Difference {
    pub(super) left: Node,
    pub(super) right: Node,
    pub(super) result: Node,
    /// How the left operand flows to the result if the right one is a number.
    pub(super) by_number: Flow,
    pub(super) carries: Carries,
}

/// What the difference of two values is known to carry so far.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Carries {
    /// Nothing: it is a number.
    Nothing,
    /// An address, since a number is subtracted from one, or one from a number.
    Address,
    /// The way from one object to another.
    Distance,
}

impl<S: Solver> Constraints<'_, S> {
    /// Activates the differences whose operands turned out not to be two pointers into one object: the operands flow to the
    /// result. Returns whether there were any. If an operand gets pointees later, too much flows, which is sound.
    pub(super) fn activate_differences(&mut self) -> bool {
        let mut changed = false;
        for i in 0..self.differences.len() {
            let d = &self.differences[i];
            let carries = carries(self.solver.summary(d.left), self.solver.summary(d.right));
            if carries <= d.carries {
                continue;
            }
            self.differences[i].carries = carries;
            changed = true;
            let Difference { left, right, result, by_number, .. } = self.differences[i];
            self.solver.add_flow(right, result, Flow::Mangle);
            if carries == Carries::Address {
                self.solver.add_flow(left, result, by_number);
                continue;
            }
            // The distance of two objects is the address of neither, but whoever knows one of them finds the other.
            self.solver.add_flow(left, result, Flow::Mangle);
            self.solver.add_flow(left, self.exposed, Flow::Mangle);
            self.solver.add_flow(right, self.exposed, Flow::Mangle);
        }
        changed
    }

    /// Exposes what the operands of a sum point to if both point somewhere, because the sum depends on where both objects lie.
    /// Returns whether there were such sums.
    pub(super) fn activate_sums(&mut self) -> bool {
        let sums = std::mem::take(&mut self.sums);
        let (both, rest): (Vec<_>, Vec<_>) = sums
            .into_iter()
            .partition(|(a, b)| self.solver.summary(*a).first.is_some() && self.solver.summary(*b).first.is_some());
        self.sums = rest;
        for &(a, b) in &both {
            self.solver.add_flow(a, self.exposed, Flow::Mangle);
            self.solver.add_flow(b, self.exposed, Flow::Mangle);
        }
        !both.is_empty()
    }

    /// Exposes what is compared by order with what may lie outside. Returns whether there was anything.
    pub(super) fn activate_orders(&mut self) -> bool {
        let from_outside = |this: &Self, n: Node| this.solver.summary(n).outside;
        let orders = std::mem::take(&mut self.orders);
        let (told, rest): (Vec<_>, Vec<_>) = orders.into_iter().partition(|(a, _)| from_outside(self, *a));
        self.orders = rest;
        for &(_, b) in &told {
            self.solver.add_flow(b, self.exposed, Flow::Mangle);
        }
        !told.is_empty()
    }

    /// Exposes what `t` points to.
    fn expose(&mut self, t: Term, flow: Flow) {
        if let Some(n) = self.node(t) {
            self.solver.add_flow(n, self.exposed, flow);
        }
    }

    /// Exposes the operands of `t` that it does not use as pointers.
    pub(super) fn visit_exposure(&mut self, t: Term) {
        let cfa = self.cfa;
        let args = cfa.terms.args(t);
        match cfa.terms.kind(t) {
            Kind::Cmp(_) if self.compares_pointers(t) => {
                args.iter().for_each(|a| self.expose(*a, Flow::OnlyMangled));
                if let (Some(a), Some(b)) = (self.node(args[0]), self.node(args[1])) {
                    self.orders.extend([(a, b), (b, a)]);
                }
            }
            // A sum or difference of two addresses exposes both; that of two pointers only if they point into different objects.
            Kind::Bv(BvOp::Add | BvOp::Sub) if cfa.terms.width(t) == cfa.pointer_bits => {
                let [a, b] = *args else { unreachable!("binary") };
                let is_outside =
                    |t: Term| matches!(cfa.terms.kind(t), Kind::Addr(o) if cfa.objects[o].kind == ObjectKind::Outside);
                if is_outside(a) || is_outside(b) || self.compares_pointers(t) {
                    return;
                }
                if let (Some(a), Some(b)) = (self.node(a), self.node(b)) {
                    self.sums.push((a, b));
                }
            }
            // A whole pointer among several values.
            Kind::Extract { .. } if cfa.terms.width(t) >= cfa.pointer_bits => {}
            // The bits of an address that is cut, masked or compared with numbers.
            Kind::Bv(_) | Kind::Cmp(_) | Kind::BvNot | Kind::BvNeg | Kind::Extract { .. } | Kind::Float(..) => {
                args.iter().for_each(|a| self.expose(*a, Flow::Mangle));
            }
            Kind::Eq => args.iter().for_each(|a| self.expose(*a, Flow::OnlyMangled)),
            // Which element is accessed reveals the index.
            Kind::Read | Kind::Write => self.expose(args[1], Flow::OnlyMangled),
            _ => {}
        }
    }
}

/// What `left - right` carries.
///
/// The difference of two plain pointers into one object is an integer that reveals nothing about where the object lies. That of pointers
/// into different objects leads from one to the other.
fn carries(left: Summary, right: Summary) -> Carries {
    let leads = match (left.first, right.first) {
        (None, None) => false,
        _ if left.mangled || right.mangled => true,
        (a, b) => a != b || left.several || right.several || left.outside || right.outside,
    };
    match leads {
        false => Carries::Nothing,
        true if left.is_address() && right.is_address() => Carries::Distance,
        true => Carries::Address,
    }
}
