//! Weak topological orders of the view of a function (Bourdoncle, FMPA 1993).
//!
//! In this order, each edge leads forward, or back to the head of a component that contains it, even if loops have several entries.
//! Unwinding and merging follow the order: a component is repeated until nothing is left to do inside it.

use cfa::view::View;
use cfa::{Cfa, FuncId, LocId};
use rustc_hash::FxHashMap;

/// An element of a weak topological order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Element {
    /// A location that is on no cycle at this level.
    Location(LocId),
    /// A strongly connected component: its head, followed by the other elements in order.
    Component(LocId, Vec<Element>),
}

/// The weak topological order of the locations that are reachable from the entry of `func` in `view`.
pub fn weak_topological_order(cfa: &Cfa, view: &View, func: FuncId) -> Vec<Element> {
    let entry = view.rep(cfa.funcs[func].entry);
    let mut builder = Builder { view, number: FxHashMap::default(), count: 0, stack: Vec::new() };
    let mut order = Vec::new();
    builder.visit(entry, &mut order);
    order.reverse();
    order
}

struct Builder<'a> {
    view: &'a View,
    /// The depth-first number; `u32::MAX` once the location is placed.
    number: FxHashMap<LocId, u32>,
    count: u32,
    stack: Vec<LocId>,
}

/// One activation of Bourdoncle's `visit`. It is kept on the heap, since control flow may be deep.
struct Frame {
    at: LocId,
    next: usize,
    head: u32,
    is_loop: bool,
}

impl Builder<'_> {
    fn number(&self, l: LocId) -> u32 {
        self.number.get(&l).copied().unwrap_or(0)
    }

    /// Appends the elements that are reachable from `root`, the last element first.
    fn visit(&mut self, root: LocId, order: &mut Vec<Element>) {
        let mut frames = vec![self.enter(root)];
        while let Some(frame) = frames.last_mut() {
            let out = self.view.out(frame.at);
            if let Some(edge) = out.get(frame.next) {
                frame.next += 1;
                let n = self.number.get(&edge.to).copied().unwrap_or(0);
                if n == 0 {
                    let frame = self.enter(edge.to);
                    frames.push(frame);
                } else if n <= frame.head {
                    frame.head = n;
                    frame.is_loop = true;
                }
                continue;
            }
            let done = frames.pop().expect("a frame is there");
            if done.head == self.number(done.at) {
                self.number.insert(done.at, u32::MAX);
                let mut top = self.stack.pop().expect("the head is on the stack");
                if done.is_loop {
                    while top != done.at {
                        self.number.insert(top, 0);
                        top = self.stack.pop().expect("the head is on the stack");
                    }
                    order.push(self.component(done.at));
                } else {
                    order.push(Element::Location(done.at));
                }
            }
            if let Some(parent) = frames.last_mut()
                && done.head <= parent.head
            {
                parent.head = done.head;
                parent.is_loop = true;
            }
        }
    }

    fn enter(&mut self, l: LocId) -> Frame {
        self.stack.push(l);
        self.count += 1;
        self.number.insert(l, self.count);
        Frame { at: l, next: 0, head: self.count, is_loop: false }
    }

    fn component(&mut self, head: LocId) -> Element {
        let mut body = Vec::new();
        for edge in self.view.out(head).to_vec() {
            if self.number(edge.to) == 0 {
                self.visit(edge.to, &mut body);
            }
        }
        body.reverse();
        Element::Component(head, body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cfa::view::Slice;
    use cfa::{Op, Span};

    /// Bourdoncle's example: 1 2 (3 4 (5 6) 7) 8, with the locations numbered from 1 as in the paper.
    #[test]
    fn papers_example() {
        let mut cfa = Cfa::new(64);
        let f = cfa.add_func("f", Span::default());
        let locs: Vec<LocId> = (0..9).map(|i| if i == 1 { cfa.funcs[f].entry } else { cfa.add_loc(f) }).collect();
        let cond = cfa.terms.fresh("c", cfa::Sort::Bool);
        for (a, b) in [(1, 2), (2, 3), (2, 8), (3, 4), (4, 5), (4, 7), (5, 6), (6, 5), (6, 7), (7, 3), (7, 8)] {
            cfa.add_edge(locs[a], locs[b], Op::branch(cond), Span::default());
        }
        let view = View::new(&cfa, &Slice::whole(&cfa));
        let at = |i: usize| Element::Location(locs[i]);
        let inner = Element::Component(locs[5], vec![at(6)]);
        let outer = Element::Component(locs[3], vec![at(4), inner, at(7)]);
        assert_eq!(weak_topological_order(&cfa, &view, f), vec![at(1), at(2), outer, at(8)]);
    }
}
