//! What the library's models ask about the program as a whole (`library/kerf.h`): constants, so that models do only what can matter.

use super::Lowering;
use crate::ir::{Opcode, Value};
use rustc_hash::FxHashSet;

impl Lowering<'_, '_> {
    /// Whether the program may look at `errno`.
    pub(crate) fn errno_is_read(&self) -> bool {
        self.program.function("__errno_location").is_some_and(Value::has_users)
    }

    /// Whether the program calls `sigsetjmp` such that it may save the mask of signals.
    pub(crate) fn masks_are_saved(&self) -> bool {
        let saves = |call: Value| call.called().is_function() && call.call_args().get(1).is_none_or(|a| !a.is_null());
        ["__sigsetjmp", "sigsetjmp"]
            .into_iter()
            .filter_map(|name| self.program.function(name))
            .any(|f| f.users().into_iter().any(|u| !u.is_instruction() || u.opcode() != Opcode::Call || saves(u)))
    }

    /// How the program uses the environment besides `getenv`, in the numbers of `kerf.h`: 0 not at all, 1 it reads the variable
    /// `environ` or the third parameter of `main` and what these point to, 2 it does more with them.
    pub(crate) fn environment_use(&self) -> u64 {
        let variables = ["environ", "__environ", "_environ"].into_iter().filter_map(|name| self.program.global(name));
        let passed = self.program.function("main").and_then(|main| main.params().get(2).copied());
        let vectors = variables.map(|v| (v, true)).chain(passed.map(|v| (v, false)));
        let vectors: Vec<(Value, bool)> = vectors.filter(|(v, _)| v.has_users()).collect();
        let mut seen = FxHashSet::default();
        match () {
            () if !vectors.iter().all(|(v, is_slot)| is_only_read(*v, *is_slot, &mut seen)) => 2,
            () if !vectors.is_empty() => 1,
            () => 0,
        }
    }
}

/// Whether the vector that `v` points to is never written: only read, passed on by choices, and stored in variables on the stack. What
/// happens to the texts to which its elements point does not matter. Where `is_slot`, `v` is a variable that holds the vector's address.
fn is_only_read<'m>(v: Value<'m>, is_slot: bool, seen: &mut FxHashSet<Value<'m>>) -> bool {
    let is_local = |v: Value| v.is_instruction() && v.opcode() == Opcode::Alloca;
    if !seen.insert(v) {
        return true;
    }
    let mut keeps = |user: Value<'m>| match user.opcode() {
        Opcode::Load => !is_slot || is_only_read(user, false, seen),
        Opcode::ICmp => true,
        Opcode::GetElementPtr | Opcode::BitCast | Opcode::Phi | Opcode::Select => is_only_read(user, is_slot, seen),
        Opcode::Store if user.operand(0) == v => is_local(user.operand(1)) && is_only_read(user.operand(1), true, seen),
        Opcode::Store => is_slot && is_local(v),
        Opcode::Call => user.called().name().starts_with("llvm.lifetime"),
        _ => false,
    };
    v.users().into_iter().all(|user| user.is_instruction() && keeps(user))
}
