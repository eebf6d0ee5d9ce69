//! The declarations of types that a harness needs, in an order that C accepts.

use std::collections::HashSet;

use frontend_llvm::describe::{Aggregate, CType, TypeId, Types};

/// Declarations in the making.
pub(super) struct Declarations<'a> {
    types: &'a Types,
    pointer_bits: u32,
    /// Tags of structs and unions that are declared before everything else.
    forward: Vec<String>,
    text: String,
    /// What is already defined, or being defined, as C writes it.
    defined: HashSet<String>,
}

impl<'a> Declarations<'a> {
    pub(super) fn new(types: &'a Types, pointer_bits: u32) -> Declarations<'a> {
        Declarations { types, pointer_bits, forward: Vec::new(), text: String::new(), defined: HashSet::new() }
    }

    /// All declarations.
    pub(super) fn text(&self) -> String {
        let forward: String = self.forward.iter().map(|tag| format!("{tag};\n")).collect();
        let all = format!("{forward}{}", self.text);
        if all.is_empty() { all } else { format!("\n/* The program's types. */\n{all}") }
    }

    /// Declares what is needed to name a type.
    pub(super) fn mention(&mut self, id: TypeId) {
        match self.types.get(id) {
            CType::Void | CType::Base(_) | CType::Unknown(_) => {}
            CType::Pointer(to) => self.mention(*to),
            CType::Array(element, _) => self.define(*element),
            CType::Function { result, parameters, .. } => {
                self.mention(*result);
                parameters.iter().for_each(|ty| self.mention(*ty));
            }
            CType::Typedef(name, base) => {
                if self.defined.insert(format!("typedef {name}")) && !is_built_in(name) {
                    self.mention(*base);
                    let declared = self.types.declaration(*base, name);
                    self.text += &format!("typedef {declared};\n");
                }
            }
            CType::Enum { tag, values } => {
                if let Some(tag) = tag
                    && self.defined.insert(format!("enum {tag}"))
                {
                    let list: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                    self.text += &format!("enum {tag} {{ {} }};\n", list.join(", "));
                }
            }
            CType::Aggregate(aggregate) => match &aggregate.tag {
                Some(tag) => {
                    let declared = format!("{} {tag}", aggregate.keyword());
                    if !self.forward.contains(&declared) {
                        self.forward.push(declared);
                    }
                }
                // It is written where it is used.
                None => aggregate.members.iter().for_each(|member| self.define(member.ty)),
            },
        }
    }

    /// Declares what is needed to have an object of a type.
    pub(super) fn define(&mut self, id: TypeId) {
        self.mention(id);
        match self.types.get(id) {
            CType::Typedef(name, base) if !is_built_in(name) => self.define(*base),
            CType::Array(element, _) => self.define(*element),
            CType::Aggregate(aggregate) => self.define_aggregate(aggregate),
            _ => {}
        }
    }

    fn define_aggregate(&mut self, aggregate: &Aggregate) {
        let (Some(tag), Some(bytes)) = (&aggregate.tag, aggregate.bytes) else { return };
        let name = format!("{} {tag}", aggregate.keyword());
        if !self.defined.insert(name.clone()) {
            return;
        }
        aggregate.members.iter().for_each(|member| self.define(member.ty));
        let packed = if self.is_packed(aggregate) { " __attribute__((packed))" } else { "" };
        self.text += &format!("{name} {}{packed};\n", self.types.members(aggregate));
        self.text += &format!("_Static_assert(sizeof({name}) == {bytes}, \"the size of {name}\");\n");
        for member in aggregate.members.iter().filter(|member| member.bits.is_none() && !aggregate.is_union) {
            if let Some(field) = &member.name {
                let offset = member.offset_bits / 8;
                self.text +=
                    &format!("_Static_assert(__builtin_offsetof({name}, {field}) == {offset}, \"{name}, {field}\");\n");
            }
        }
    }

    /// Whether a struct has members where their types would not let them be.
    fn is_packed(&self, aggregate: &Aggregate) -> bool {
        let plain = |member: &&frontend_llvm::describe::Member| member.bits.is_none();
        let misplaced = |member: &frontend_llvm::describe::Member| {
            !(member.offset_bits / 8).is_multiple_of(self.alignment(member.ty).max(1))
        };
        let widest = aggregate.members.iter().filter(plain).map(|member| self.alignment(member.ty)).max().unwrap_or(1);
        aggregate.members.iter().filter(plain).any(misplaced)
            || !aggregate.bytes.unwrap_or(0).is_multiple_of(widest.max(1))
    }

    /// The alignment of a type in bytes, on x86.
    fn alignment(&self, id: TypeId) -> u64 {
        let id = self.types.plain(id);
        match self.types.get(id) {
            CType::Array(element, _) => self.alignment(*element),
            CType::Aggregate(aggregate) if self.is_packed(aggregate) => 1,
            CType::Aggregate(aggregate) => {
                aggregate.members.iter().map(|member| self.alignment(member.ty)).max().unwrap_or(1)
            }
            _ if self.pointer_bits == 32 => self.types.bytes(id).min(4),
            _ => self.types.bytes(id).min(16),
        }
    }
}

/// Whether the compiler knows a type by this name.
fn is_built_in(name: &str) -> bool {
    name.starts_with("__builtin_") || matches!(name, "__int128_t" | "__uint128_t")
}
