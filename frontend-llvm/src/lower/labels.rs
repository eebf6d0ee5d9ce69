//! Addresses of labels (`&&label`).
//!
//! Where a program only stores, loads and jumps to the labels of a function, their addresses are the numbers 1, 2, 3: no execution
//! can tell. Where it does more with them (it subtracts, compares or prints them), each is a variable with any value but 0, which
//! is drawn before the program runs: proofs hold for all places where a compiler may put the code, and no alarm may rest on one.
//! Two of these values may be equal, as the addresses of two labels of one statement are.

use super::Lowering;
use super::body::Body;
use crate::ir::{Block, Linkage, Opcode, Value, ValueKind};
use cfa::{InputKind, Op, Scope, Sort, Term};
use rustc_hash::FxHashSet;

impl<'m> Lowering<'_, 'm> {
    /// The address of a block whose label is taken.
    pub(crate) fn label(&mut self, block: Block<'m>) -> Term {
        if let Some(&known) = self.labels.get(&block) {
            return known;
        }
        let word = self.layout.pointer_bits;
        let function = block.function();
        let is_plain = *self.plain_labels.entry(function).or_insert_with(|| are_only_jumped_to(function));
        let address = if is_plain {
            self.cfa.terms.int(word, self.labels.len() as u64 + 1)
        } else {
            let var = self.new_var(format!("{}.{}", function.name(), block.name()), Sort::Bv(word), Scope::Global);
            self.open_labels.push(var);
            let value = self.cfa.var_term(var);
            let terms = &mut self.cfa.terms;
            let (some, one) = (terms.nonzero(value), terms.int(word, 1));
            terms.ite(some, value, one)
        };
        self.labels.insert(block, address);
        address
    }
}

impl Body<'_, '_, '_> {
    /// Draws the addresses of labels that are looked at.
    pub(super) fn draw_labels(&mut self) {
        for var in std::mem::take(&mut self.cx.open_labels) {
            self.emit(Op::Input { var, kind: InputKind::Approximate("address of a label".into()) });
        }
    }
}

/// Whether the addresses of the labels of `function` are only stored, loaded and jumped to.
fn are_only_jumped_to(function: Value<'_>) -> bool {
    let users = function.blocks().into_iter().flat_map(Block::users);
    let addresses = users.filter(|u| u.kind() == ValueKind::LLVMBlockAddressValueKind);
    let mut flow = Flow { open: addresses.map(Carrier::Label).collect(), seen: FxHashSet::default() };
    while let Some(carrier) = flow.open.pop() {
        let (Carrier::Label(v) | Carrier::Place(v)) = carrier;
        if !flow.seen.insert(carrier) {
            continue;
        }
        let is_harmless = |user| match carrier {
            Carrier::Label(_) => flow.use_of_label(user, v),
            Carrier::Place(_) => flow.use_of_place(user, v),
        };
        if !v.users().into_iter().all(is_harmless) {
            return false;
        }
    }
    true
}

/// Something that may carry the address of a label.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Carrier<'m> {
    /// A value that is such an address or has one as a part.
    Label(Value<'m>),
    /// The address of memory of the program with such values.
    Place(Value<'m>),
}

/// The search for the values and the memory to which the addresses of labels flow.
struct Flow<'m> {
    open: Vec<Carrier<'m>>,
    seen: FxHashSet<Carrier<'m>>,
}

impl<'m> Flow<'m> {
    /// Whether `user` only stores `label`, jumps to it, compares it with null, or makes a value of it that is followed.
    fn use_of_label(&mut self, user: Value<'m>, label: Value<'m>) -> bool {
        use ValueKind::*;
        match user.kind() {
            LLVMConstantArrayValueKind | LLVMConstantStructValueKind => self.carries(user),
            LLVMConstantExprValueKind => user.const_opcode() == Opcode::BitCast && self.carries(user),
            LLVMGlobalVariableValueKind => self.holds(user),
            LLVMInstructionValueKind => match user.opcode() {
                Opcode::IndirectBr => true,
                Opcode::Phi | Opcode::Select | Opcode::BitCast => self.carries(user),
                Opcode::Store => user.operand(1) != label && self.holds(user.operand(1)),
                // No label is at 0.
                Opcode::ICmp => [user.operand(0), user.operand(1)].iter().any(|v| v.is_constant() && v.is_null()),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether `user` only loads from `place`, stores to it, copies it to memory that is followed, or computes an address in it.
    fn use_of_place(&mut self, user: Value<'m>, place: Value<'m>) -> bool {
        let opcode = match user.kind() {
            ValueKind::LLVMConstantExprValueKind => user.const_opcode(),
            ValueKind::LLVMInstructionValueKind => user.opcode(),
            _ => return false,
        };
        match opcode {
            Opcode::Load => self.carries(user),
            Opcode::Store => user.operand(0) != place,
            Opcode::GetElementPtr | Opcode::BitCast => {
                self.open.push(Carrier::Place(user));
                true
            }
            Opcode::Call => {
                let name = user.called().name();
                name.starts_with("llvm.lifetime")
                    || name.starts_with("llvm.memcpy") && self.holds(user.operand(0)) && self.holds(user.operand(1))
            }
            _ => false,
        }
    }

    fn carries(&mut self, v: Value<'m>) -> bool {
        self.open.push(Carrier::Label(v));
        true
    }

    /// Follows labels into the memory at `address`. Returns whether that is a variable that no other module knows; others cannot be
    /// followed.
    fn holds(&mut self, address: Value<'m>) -> bool {
        let mut object = address;
        loop {
            let opcode = match object.kind() {
                ValueKind::LLVMInstructionValueKind => object.opcode(),
                ValueKind::LLVMConstantExprValueKind => object.const_opcode(),
                ValueKind::LLVMGlobalVariableValueKind
                    if matches!(object.linkage(), Linkage::Internal | Linkage::Private) =>
                {
                    break;
                }
                _ => return false,
            };
            match opcode {
                Opcode::Alloca => break,
                Opcode::GetElementPtr | Opcode::BitCast => object = object.operand(0),
                _ => return false,
            }
        }
        self.open.push(Carrier::Place(object));
        true
    }
}
