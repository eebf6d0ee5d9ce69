//! The calls of Z3 that need `unsafe` code: the only module that names `z3_sys`, and the only one with `unsafe` blocks.
//!
//! Everything else goes through the crate `z3`. The calls here, and why the crate does not suffice:
//!
//! - `Z3_mk_config`, `Z3_mk_context`, `Z3_set_error_handler`, `Z3_del_config`: the crate makes no context that outlives a closure, and
//!   none that keeps its trees. (If trees are deleted one by one, Z3 ends the process when it has no memory left.)
//! - `Z3_get_error_code`, `Z3_get_error_msg`: the crate does not report the errors of calls without a result (assertions, rules,
//!   parameters), and returns an empty core if Z3 could not compute one.
//! - `Z3_interrupt`: the crate's handle borrows the context, which an interrupter may outlive.
//! - `Z3_get_index_value`, `Z3_mk_fpa_zero`, `Z3_mk_fpa_to_fp_bv`, `Z3_mk_fpa_to_fp_signed`, `Z3_mk_fpa_to_fp_unsigned`: the crate
//!   lacks them.
//! - The constructors of truth values, bit-vectors and memories (the list at the end): the crate's constructors panic where Z3 returns
//!   an error, and take trees of known sorts. A query has up to millions of these operators. A chain of 100,000 operators takes 404
//!   million instructions with the crate's conversions from a tree of any sort and back, 324 million with the constructors here, and
//!   309 million if references are not counted at all (callgrind).
//!
//! The crate's objects belong to the context of their thread, and are bound to this thread. [`Confined`] is a context of its own with
//! all objects that were made in it; together they may move to other threads.

#![allow(unsafe_code, reason = "the only module that calls Z3's C interface")]

use crate::solver::{Interrupter, SolverError};
use smallvec::SmallVec;
use std::any::Any;
use std::cell::Cell;
use std::ffi::CStr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use z3::Sort;
use z3::ast::{Ast, BV, Dynamic, Float, RoundingMode};
use z3_sys::*;

/// A Z3 context, which only closures given to [`Confined`] see. All of Z3's objects that they see belong to it.
pub(super) struct Context {
    inner: z3::Context,
    /// Whether Z3 ran out of memory in it.
    is_lost: Cell<bool>,
}

/// A tree, or Z3's error.
pub(super) type Made<T = Dynamic> = Result<T, SolverError>;

impl Context {
    fn new() -> Result<Context, SolverError> {
        // SAFETY: the context has copied its configuration when that is deleted, and the crate is its only owner. It keeps its
        // trees in addition to the references that the crate counts.
        unsafe {
            let config = Z3_mk_config().ok_or_else(|| SolverError::Failed("Z3 gives no configuration".into()))?;
            let raw = Z3_mk_context(config);
            Z3_del_config(config);
            let raw = raw.ok_or_else(|| SolverError::Failed("out of memory: Z3 has no context".into()))?;
            // Errors are reported by codes; Z3's own handler would end the process.
            Z3_set_error_handler(raw, None);
            Ok(Context { inner: z3::Context::from_raw(raw), is_lost: Cell::new(false) })
        }
    }

    fn raw(&self) -> Z3_context {
        self.inner.get_z3_context()
    }

    /// Z3's last error.
    pub(super) fn error(&self) -> SolverError {
        // SAFETY: the context is alive; Z3 has a text for each code, which lives until the next call.
        let text = unsafe { CStr::from_ptr(Z3_get_error_msg(self.raw(), Z3_get_error_code(self.raw()))) };
        let text = text.to_string_lossy().into_owned();
        self.has_given(&text);
        SolverError::Failed(text)
    }

    /// Drops one of Z3's objects, unless Z3 may crash when it deletes it.
    pub(super) fn drop<T>(&self, object: T) {
        if self.is_lost.get() {
            std::mem::forget(object);
        }
    }

    /// Takes note of a reason that Z3 has given for having no answer.
    pub(super) fn has_given(&self, reason: &str) {
        if ["memory", "memout"].iter().any(|word| reason.contains(word)) {
            self.is_lost.set(true);
        }
    }

    /// `done`, what the last call on Z3 returned, or the error of that call.
    pub(super) fn checked<T>(&self, done: T) -> Result<T, SolverError> {
        // SAFETY: the context is alive.
        let code = unsafe { Z3_get_error_code(self.raw()) };
        if code == ErrorCode::Ok { Ok(done) } else { Err(self.error()) }
    }

    fn made<T: Ast>(&self, tree: Option<Z3_ast>) -> Made<T> {
        let tree = tree.ok_or_else(|| self.error())?;
        // SAFETY: Z3 has just made the tree in this context.
        Ok(unsafe { T::wrap(&self.inner, tree) })
    }

    /// The index of a bound variable.
    pub(super) fn bound_index(&self, variable: &Dynamic) -> Result<u32, SolverError> {
        // SAFETY: the tree belongs to this context; Z3 checks that it is a bound variable.
        let index = unsafe { Z3_get_index_value(self.raw(), variable.get_z3_ast()) };
        self.checked(index)
    }
}

/// A context of its own with a value that is made of Z3's objects in it.
///
/// A panic in a closure (the crate panics where Z3 returns nothing) becomes an error, and all later calls fail. Later calls also
/// fail after Z3 ran out of memory: Z3 may then crash, even while it deletes the context. So the context is leaked in both cases.
pub(super) struct Confined<T>(Option<(Context, T)>);

// SAFETY: Z3's contexts are bound to no thread, and one thread at a time has this one, since there are no references to it
// without one to its owner (interrupters apart, see `Stop`). The crate's objects are bound to a thread only because they count
// the references to their context without synchronization. All these references are in this struct: closures must be `Send`, so
// that they bring no object and take none away, what they return is `Send`, too, and `enter` leaves none in the thread (nor does
// any closure, which would take a thread-local variable).
unsafe impl<T> Send for Confined<T> {}

impl<T> Confined<T> {
    /// A new context with what `make` makes.
    ///
    /// Errors: those of `make`; `Failed` if it panics, or if there is no memory for a context.
    pub(super) fn new(
        make: impl FnOnce(&Context) -> Result<T, SolverError> + Send,
    ) -> Result<Confined<T>, SolverError> {
        let context = Context::new()?;
        match enter(&context, || make(&context)).flatten() {
            Ok(value) => Ok(Confined(Some((context, value)))),
            Err(e) => {
                if context.is_lost.get() {
                    std::mem::forget(context);
                }
                Err(e)
            }
        }
    }

    /// What `work` returns.
    ///
    /// Errors: those of `work`; `Failed` if it panics. After a panic, or if Z3 has run out of memory, all later calls are `Failed`.
    pub(super) fn with<R: Send>(
        &mut self,
        work: impl FnOnce(&Context, &mut T) -> Result<R, SolverError> + Send,
    ) -> Result<R, SolverError> {
        let Some((context, value)) = &mut self.0 else {
            return Err(SolverError::Failed("Z3 ran out of memory, or has failed before".into()));
        };
        let done = enter(context, || work(context, value));
        if done.is_err() || context.is_lost.get() {
            std::mem::forget(self.0.take());
        }
        done.flatten()
    }
}

/// Runs `work` with `context` as this thread's, in which the crate makes its objects; `Failed` if it panics.
fn enter<R>(context: &Context, work: impl FnOnce() -> R) -> Result<R, SolverError> {
    struct Here<T>(T);
    // SAFETY: the crate calls the closure in this thread and returns its result here. It asks for `Send` and `Sync` so that
    // objects of different contexts do not meet; the bounds of `Confined` see to that.
    unsafe impl<T> Send for Here<T> {}
    // SAFETY: as above.
    unsafe impl<T> Sync for Here<T> {}
    impl<T> Here<T> {
        fn call<R>(self) -> Here<std::thread::Result<R>>
        where
            T: FnOnce() -> R,
        {
            Here(catch_unwind(AssertUnwindSafe(self.0)))
        }
    }
    let work = Here(work);
    // The inner `catch_unwind` lets the thread get its own context back; the outer one is for this context, which the crate makes
    // when it is needed.
    let done = catch_unwind(AssertUnwindSafe(|| z3::with_z3_context(&context.inner, move || work.call())));
    done.and_then(|done| done.0).map_err(|panic| SolverError::Failed(format!("Z3: {}", message(&*panic))))
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic")
}

/// What interrupters share with a solver.
#[derive(Default)]
pub(super) struct Stop {
    stopped: AtomicBool,
    /// The context while a query runs in it.
    running: Mutex<Option<Running>>,
}

/// A context that only `Z3_interrupt` may be called on.
struct Running(Z3_context);

// SAFETY: Z3 allows `Z3_interrupt` from any thread.
unsafe impl Send for Running {}

impl Stop {
    /// A handle that stops all queries, the one that runs and later ones.
    pub(super) fn interrupter(this: &Arc<Stop>) -> Interrupter {
        let this = Arc::clone(this);
        Interrupter::new(move || {
            this.stopped.store(true, Ordering::SeqCst);
            if let Some(Running(context)) = &*this.running() {
                // SAFETY: the lock is held, so that the query which runs in the context has not ended.
                unsafe { Z3_interrupt(*context) }
            }
        })
    }

    /// Whether an interrupter was called.
    pub(super) fn is_set(&self) -> bool {
        self.stopped.load(Ordering::SeqCst)
    }

    /// Runs `query`, which interrupters stop; `Unknown` if one was called before.
    pub(super) fn during<R>(&self, context: &Context, query: impl FnOnce() -> R) -> Result<R, SolverError> {
        struct End<'a>(&'a Stop);
        impl Drop for End<'_> {
            fn drop(&mut self) {
                *self.0.running() = None;
            }
        }
        *self.running() = Some(Running(context.raw()));
        let _end = End(self);
        if self.is_set() {
            return Err(SolverError::Unknown("interrupted".into()));
        }
        Ok(query())
    }

    fn running(&self) -> MutexGuard<'_, Option<Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An argument of a constructor.
trait Argument {
    type Raw;
    fn raw(self) -> Self::Raw;
}

macro_rules! arguments {
    ($($type:ty => $raw:ty = $get:expr;)*) => {$(
        impl Argument for $type {
            type Raw = $raw;
            fn raw(self) -> $raw {
                $get(self)
            }
        }
    )*};
}

arguments! {
    &Dynamic => Z3_ast = Ast::get_z3_ast;
    &BV => Z3_ast = Ast::get_z3_ast;
    &RoundingMode => Z3_ast = Ast::get_z3_ast;
    &Sort => Z3_sort = Sort::get_z3_sort;
    u32 => u32 = |n| n;
    u64 => u64 = |n| n;
    bool => bool = |b| b;
}

macro_rules! constructors {
    ($($name:ident = $call:ident($($arg:ident: $type:ty),*) -> $result:ty;)*) => {
        impl Context {$(
            pub(super) fn $name(&self, $($arg: $type),*) -> Made<$result> {
                // SAFETY: the arguments are alive and belong to this context; Z3 checks their sorts.
                let tree = unsafe { $call(self.raw(), $($arg.raw()),*) };
                self.made(tree)
            }
        )*}
    };
}

macro_rules! lists {
    ($($name:ident = $call:ident;)*) => {
        impl Context {$(
            pub(super) fn $name(&self, all: &[&Dynamic]) -> Made {
                let all: SmallVec<[Z3_ast; 4]> = all.iter().map(|a| a.raw()).collect();
                // SAFETY: the trees are alive and belong to this context; the list outlives the call.
                let tree = unsafe { $call(self.raw(), all.len() as u32, all.as_ptr()) };
                self.made(tree)
            }
        )*}
    };
}

lists! {
    and = Z3_mk_and;
    or = Z3_mk_or;
}

constructors! {
    not = Z3_mk_not(a: &Dynamic) -> Dynamic;
    eq = Z3_mk_eq(a: &Dynamic, b: &Dynamic) -> Dynamic;
    ite = Z3_mk_ite(p: &Dynamic, a: &Dynamic, b: &Dynamic) -> Dynamic;

    number = Z3_mk_unsigned_int64(v: u64, sort: &Sort) -> Dynamic;
    bvadd = Z3_mk_bvadd(a: &Dynamic, b: &Dynamic) -> Dynamic;
    bvsub = Z3_mk_bvsub(a: &Dynamic, b: &Dynamic) -> Dynamic;
    bvmul = Z3_mk_bvmul(a: &Dynamic, b: &Dynamic) -> Dynamic;
    bvudiv = Z3_mk_bvudiv(a: &Dynamic, b: &Dynamic) -> Dynamic;
    bvurem = Z3_mk_bvurem(a: &Dynamic, b: &Dynamic) -> Dynamic;
    bvsdiv = Z3_mk_bvsdiv(a: &Dynamic, b: &Dynamic) -> Dynamic;
    bvsrem = Z3_mk_bvsrem(a: &Dynamic, b: &Dynamic) -> Dynamic;
    bvand = Z3_mk_bvand(a: &Dynamic, b: &Dynamic) -> Dynamic;
    bvor = Z3_mk_bvor(a: &Dynamic, b: &Dynamic) -> Dynamic;
    bvxor = Z3_mk_bvxor(a: &Dynamic, b: &Dynamic) -> Dynamic;
    bvshl = Z3_mk_bvshl(a: &Dynamic, b: &Dynamic) -> Dynamic;
    bvlshr = Z3_mk_bvlshr(a: &Dynamic, b: &Dynamic) -> Dynamic;
    bvashr = Z3_mk_bvashr(a: &Dynamic, b: &Dynamic) -> Dynamic;
    bvult = Z3_mk_bvult(a: &Dynamic, b: &Dynamic) -> Dynamic;
    bvule = Z3_mk_bvule(a: &Dynamic, b: &Dynamic) -> Dynamic;
    bvslt = Z3_mk_bvslt(a: &Dynamic, b: &Dynamic) -> Dynamic;
    bvsle = Z3_mk_bvsle(a: &Dynamic, b: &Dynamic) -> Dynamic;
    bvnot = Z3_mk_bvnot(a: &Dynamic) -> Dynamic;
    bvneg = Z3_mk_bvneg(a: &Dynamic) -> Dynamic;
    extract = Z3_mk_extract(hi: u32, lo: u32, a: &Dynamic) -> Dynamic;
    concat = Z3_mk_concat(high: &Dynamic, low: &Dynamic) -> Dynamic;
    zero_ext = Z3_mk_zero_ext(more: u32, a: &Dynamic) -> Dynamic;
    sign_ext = Z3_mk_sign_ext(more: u32, a: &Dynamic) -> Dynamic;

    const_array = Z3_mk_const_array(domain: &Sort, v: &Dynamic) -> Dynamic;
    select = Z3_mk_select(m: &Dynamic, at: &Dynamic) -> Dynamic;
    store = Z3_mk_store(m: &Dynamic, at: &Dynamic, v: &Dynamic) -> Dynamic;

    float_zero = Z3_mk_fpa_zero(sort: &Sort, negative: bool) -> Float;
    float_of_bits = Z3_mk_fpa_to_fp_bv(bits: &BV, sort: &Sort) -> Float;
    float_of_signed = Z3_mk_fpa_to_fp_signed(mode: &RoundingMode, a: &BV, sort: &Sort) -> Float;
    float_of_unsigned = Z3_mk_fpa_to_fp_unsigned(mode: &RoundingMode, a: &BV, sort: &Sort) -> Float;
}
