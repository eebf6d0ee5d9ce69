//! The call-stack CPA [Lemberger 2018, 2.6.5]: where the active functions return to.
//!
//! Lattice: flat, over stacks of return locations. Transfer: a call pushes, a return pops. Merge-sep, stop-sep. Stacks are hash-consed,
//! so a state holds just one id. Calls that exceed the depth bound are not entered; the answer is then unknown, never wrong.
//!
//! The bound starts small and grows. Calls beyond it are cut off first; they are explored only when everything else has been, unless they
//! have been shown to be unreachable by then. So recursion that only an imprecise state takes is not followed to its end.

use crate::program::Halt;
use cfa::LocId;
use rustc_hash::FxHashMap;

/// A call stack; the empty one is [`StackId::EMPTY`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct StackId(u32);

impl StackId {
    /// The stack of the entry function.
    pub const EMPTY: StackId = StackId(0);
}

struct Frame {
    return_to: LocId,
    below: StackId,
    depth: u32,
}

/// All call stacks that have occurred.
pub struct CallStack {
    /// Frame `i` is the top of stack `i + 1`.
    frames: Vec<Frame>,
    ids: FxHashMap<(LocId, StackId), StackId>,
    bound: u32,
    max_depth: u32,
}

/// The first depth bound: few programs without recursion nest calls deeper.
const FIRST_BOUND: u32 = 50;

/// The factor by which the bound grows.
const GROWTH: u32 = 8;

impl CallStack {
    /// Only the empty stack exists at first; the bound will grow to at most `max_depth` frames.
    pub fn new(max_depth: u32) -> CallStack {
        CallStack { frames: Vec::new(), ids: FxHashMap::default(), bound: FIRST_BOUND.min(max_depth), max_depth }
    }

    /// Raises the bound; `false` if it is at its maximum already.
    pub fn deepen(&mut self) -> bool {
        let before = self.bound;
        self.bound = before.saturating_mul(GROWTH).min(self.max_depth);
        self.bound > before
    }

    /// `below` with a frame that returns to `return_to`.
    ///
    /// Errors: `TooDeep` above the bound.
    pub fn push(&mut self, below: StackId, return_to: LocId) -> Result<StackId, Halt> {
        if let Some(&id) = self.ids.get(&(return_to, below)) {
            return Ok(id);
        }
        let depth = self.depth(below) + 1;
        if depth > self.bound {
            return Err(Halt::TooDeep(self.bound));
        }
        self.frames.push(Frame { return_to, below, depth });
        let id = StackId(u32::try_from(self.frames.len()).expect("fewer than 2^32 call stacks"));
        self.ids.insert((return_to, below), id);
        Ok(id)
    }

    /// Where the top frame returns to, and the stack below it.
    pub fn frame(&self, stack: StackId) -> Option<(LocId, StackId)> {
        let frame = &self.frames[(stack.0 as usize).checked_sub(1)?];
        Some((frame.return_to, frame.below))
    }

    /// The number of frames.
    pub fn depth(&self, stack: StackId) -> u32 {
        (stack.0 as usize).checked_sub(1).map_or(0, |i| self.frames[i].depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_stacks_are_one() {
        let mut stacks = CallStack::new(2);
        let a = stacks.push(StackId::EMPTY, LocId(7)).unwrap();
        let b = stacks.push(a, LocId(7)).unwrap();
        assert_ne!(a, b);
        assert_eq!(stacks.push(a, LocId(7)), Ok(b));
        assert_eq!(stacks.frame(b), Some((LocId(7), a)));
        assert_eq!(stacks.frame(StackId::EMPTY), None);
        assert_eq!((stacks.depth(StackId::EMPTY), stacks.depth(b)), (0, 2));
        assert_eq!(stacks.push(b, LocId(1)), Err(Halt::TooDeep(2)));
    }

    #[test]
    fn the_bound_grows_to_its_largest() {
        let mut stacks = CallStack::new(FIRST_BOUND + 1);
        let mut top = StackId::EMPTY;
        for _ in 0..FIRST_BOUND {
            top = stacks.push(top, LocId(7)).unwrap();
        }
        assert_eq!(stacks.push(top, LocId(7)), Err(Halt::TooDeep(FIRST_BOUND)));
        assert!(stacks.deepen());
        top = stacks.push(top, LocId(7)).unwrap();
        assert!(!stacks.deepen());
        assert_eq!(stacks.push(top, LocId(7)), Err(Halt::TooDeep(FIRST_BOUND + 1)));
        assert!(!CallStack::new(2).deepen());
    }
}
