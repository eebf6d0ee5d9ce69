//! Dense `u32` ids and the vectors that they index; nodes refer to each other only by id.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// An id that indexes a vector.
pub trait Id: Copy + Eq {
    /// The id of index `i`.
    fn from_index(i: usize) -> Self;
    /// The index that this id stands for.
    fn index(self) -> usize;
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident, $prefix:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl Id for $name {
            #[inline]
            fn from_index(i: usize) -> Self {
                $name(u32::try_from(i).expect("more than 2^32 ids"))
            }
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(self, f)
            }
        }
    )*};
}

ids! {
    /// A program location (control point).
    LocId, "l";
    /// An edge of the control-flow automaton.
    EdgeId, "e";
    /// A function.
    FuncId, "f";
    /// A program variable: a scalar or a memory (array sort).
    VarId, "v";
    /// A memory object: global, function, stack slot or heap allocation site.
    ObjectId, "o";
    /// A symbol of a formula: a fresh constant that stands for an arbitrary value.
    SymId, "s";
    /// A hash-consed term.
    Term, "t";
}

/// A vector indexed by an [`Id`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexVec<I, T> {
    raw: Vec<T>,
    id: PhantomData<fn(I)>,
}

impl<I: Id, T> IndexVec<I, T> {
    /// An empty vector.
    pub fn new() -> Self {
        IndexVec { raw: Vec::new(), id: PhantomData }
    }
    /// Makes room for at least this many more elements.
    pub fn reserve(&mut self, additional: usize) {
        self.raw.reserve(additional);
    }
    /// Appends `value` and returns its id.
    pub fn push(&mut self, value: T) -> I {
        let id = I::from_index(self.raw.len());
        self.raw.push(value);
        id
    }
    /// The number of elements.
    pub fn len(&self) -> usize {
        self.raw.len()
    }
    /// Whether the vector is empty.
    pub fn is_empty(&self) -> bool {
        self.raw.is_empty()
    }
    /// The element at `id`, or `None` if there is none.
    pub fn get(&self, id: I) -> Option<&T> {
        self.raw.get(id.index())
    }
    /// The elements in the order of their ids.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.raw.iter()
    }
    /// The elements, mutable, in the order of their ids.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.raw.iter_mut()
    }
    /// Pairs of id and element.
    pub fn iter_enumerated(&self) -> impl DoubleEndedIterator<Item = (I, &T)> {
        self.raw.iter().enumerate().map(|(i, t)| (I::from_index(i), t))
    }
    /// All ids, ascending.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T> {
        (0..self.raw.len()).map(I::from_index)
    }
}

impl<I: Id, T> Default for IndexVec<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id, T> Index<I> for IndexVec<I, T> {
    type Output = T;
    fn index(&self, id: I) -> &T {
        &self.raw[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for IndexVec<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.raw[id.index()]
    }
}

impl<I: Id, T> FromIterator<T> for IndexVec<I, T> {
    fn from_iter<It: IntoIterator<Item = T>>(iter: It) -> Self {
        IndexVec { raw: iter.into_iter().collect(), id: PhantomData }
    }
}
