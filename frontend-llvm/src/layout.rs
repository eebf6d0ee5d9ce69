//! Sizes and offsets according to the module's data layout, and the decomposition of types into scalars.

use crate::ir::{Module, Type, TypeKind};
use crate::raw;
use cfa::float::Format;
use inkwell::targets::{ByteOrdering, TargetData};
use inkwell::types::AnyTypeEnum;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What the bits of a scalar mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scalar {
    Int,
    Float(Format),
    Pointer,
}

/// One scalar of a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Leaf {
    /// Offset in bytes from the beginning of the whole type.
    pub offset: u64,
    /// Number of bits of the value.
    pub bits: u32,
    /// Number of bytes that the scalar takes in memory, without trailing padding.
    pub bytes: u32,
    pub scalar: Scalar,
}

/// A type as the list of its scalars.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flat {
    pub leaves: Vec<Leaf>,
    /// Number of bytes that the type takes in an array, padding included.
    pub size: u64,
    /// Number of bytes that a store writes.
    pub store: u64,
    /// Whether this is a vector whose elements are not whole bytes; it is stored in memory as one integer.
    pub packed: bool,
}

impl Flat {
    /// Total number of bits of all scalars.
    pub(crate) fn total_bits(&self) -> u32 {
        self.leaves.iter().map(|l| l.bits).sum()
    }
}

/// The data layout of a module.
pub(crate) struct Layout<'m> {
    data: TargetData,
    pub pointer_bits: u32,
    flats: FxHashMap<Type<'m>, Result<Rc<Flat>, String>>,
}

/// Maximum number of scalars in one first-class value; larger values are unsupported.
const MAX_LEAVES: u64 = 1 << 14;

impl<'m> Layout<'m> {
    pub(crate) fn new(module: &Module<'m>) -> Layout<'m> {
        let data = TargetData::create(&raw::data_layout(&module.0));
        let pointer_bits = data.get_pointer_byte_size(None) * 8;
        Layout { data, pointer_bits, flats: FxHashMap::default() }
    }

    pub(crate) fn is_little_endian(&self) -> bool {
        self.data.get_byte_ordering() == ByteOrdering::LittleEndian
    }

    /// Bytes from one element of an array of `ty` to the next.
    pub(crate) fn size(&self, ty: Type) -> u64 {
        if ty.is_sized() { self.data.get_abi_size(&ty) } else { 0 }
    }

    pub(crate) fn align(&self, ty: Type) -> u64 {
        if ty.is_sized() { u64::from(self.data.get_abi_alignment(&ty)).max(1) } else { 1 }
    }

    /// The alignment of an object of type `ty`: the one stated, or if that is 0, the type's.
    pub(crate) fn align_or(&self, stated: u64, ty: Type) -> u64 {
        if stated == 0 { self.align(ty) } else { stated }
    }

    /// Whether `ty` has an array without a length, after which only padding may follow, so that an object that another file defines may
    /// be longer than its type.
    pub(crate) fn has_open_end(&self, ty: Type) -> bool {
        match ty.kind() {
            TypeKind::LLVMArrayTypeKind => self.size(ty) == 0,
            TypeKind::LLVMStructTypeKind => ty.fields().into_iter().any(|field| self.has_open_end(field)),
            _ => false,
        }
    }

    /// Offset of field `i` of a struct.
    pub(crate) fn field_offset(&self, ty: Type, i: u32) -> u64 {
        let Some(AnyTypeEnum::StructType(ty)) = ty.known() else { panic!("{} is not a struct type", ty.print()) };
        self.data.offset_of_element(&ty, i).expect("a struct has the field")
    }

    /// Bytes that a store of `ty` writes.
    pub(crate) fn store_size(&self, ty: Type) -> u64 {
        self.data.get_store_size(&ty)
    }

    /// The scalars of `ty`; the error says why the type has none.
    pub(crate) fn flat(&mut self, ty: Type<'m>) -> Result<Rc<Flat>, String> {
        if let Some(known) = self.flats.get(&ty) {
            return known.clone();
        }
        let result = self.flatten(ty).map(Rc::new);
        self.flats.insert(ty, result.clone());
        result
    }

    fn flatten(&mut self, ty: Type<'m>) -> Result<Flat, String> {
        if ty.is_void() {
            return Ok(Flat::default());
        }
        if let Some((bits, scalar)) = self.scalar(ty)? {
            let store = self.store_size(ty);
            let leaf = Leaf { offset: 0, bits, bytes: store as u32, scalar };
            return Ok(Flat { leaves: vec![leaf], size: self.size(ty), store, packed: false });
        }
        if !ty.is_sized() {
            return Err(format!("a value of type {}", ty.print()));
        }
        let mut flat = Flat { size: self.size(ty), store: self.store_size(ty), ..Flat::default() };
        match ty.kind() {
            TypeKind::LLVMStructTypeKind => {
                for (i, field) in ty.fields().into_iter().enumerate() {
                    let at = self.field_offset(ty, i as u32);
                    let part = self.flat(field)?;
                    Self::append(&mut flat, &part, at)?;
                }
            }
            TypeKind::LLVMArrayTypeKind => {
                let part = self.flat(ty.element())?;
                for i in 0..ty.array_len() {
                    Self::append(&mut flat, &part, i * part.size)?;
                }
            }
            TypeKind::LLVMVectorTypeKind => {
                let part = self.flat(ty.element())?;
                let leaf = part.leaves[0];
                flat.packed = !leaf.bits.is_multiple_of(8);
                for i in 0..ty.vector_len() {
                    let offset = if flat.packed { 0 } else { i * u64::from(leaf.bits / 8) };
                    flat.leaves.push(Leaf { offset, ..leaf });
                }
            }
            _ => return Err(format!("a value of type {}", ty.print())),
        }
        Ok(flat)
    }

    fn append(flat: &mut Flat, part: &Flat, at: u64) -> Result<(), String> {
        if part.packed {
            return Err("a vector of single bits in an aggregate".into());
        }
        if (flat.leaves.len() + part.leaves.len()) as u64 > MAX_LEAVES {
            return Err(format!("a first-class aggregate of more than {MAX_LEAVES} scalars"));
        }
        flat.leaves.extend(part.leaves.iter().map(|l| Leaf { offset: l.offset + at, ..*l }));
        Ok(())
    }

    /// Bits and meaning of a scalar type; `None` for aggregates and vectors.
    fn scalar(&self, ty: Type<'m>) -> Result<Option<(u32, Scalar)>, String> {
        Ok(Some(match ty.kind() {
            TypeKind::LLVMIntegerTypeKind => (ty.int_width(), Scalar::Int),
            TypeKind::LLVMPointerTypeKind if ty.address_space() == 0 => (self.pointer_bits, Scalar::Pointer),
            // x86's segment-relative address spaces refer to other memory.
            TypeKind::LLVMPointerTypeKind => {
                return Err(format!("a pointer into address space {}", ty.address_space()));
            }
            TypeKind::LLVMStructTypeKind | TypeKind::LLVMArrayTypeKind | TypeKind::LLVMVectorTypeKind => {
                return Ok(None);
            }
            _ => match float_format(ty) {
                Some(format) => (format.width_bits(), Scalar::Float(format)),
                None => return Err(format!("a value of type {}", ty.print())),
            },
        }))
    }
}

/// The format of a floating-point type.
pub(crate) fn float_format(ty: Type) -> Option<Format> {
    Some(match ty.kind() {
        TypeKind::LLVMHalfTypeKind => Format::Half,
        TypeKind::LLVMBFloatTypeKind => Format::BFloat,
        TypeKind::LLVMFloatTypeKind => Format::Single,
        TypeKind::LLVMDoubleTypeKind => Format::Double,
        TypeKind::LLVMX86_FP80TypeKind => Format::X87,
        TypeKind::LLVMFP128TypeKind => Format::Quad,
        _ => return None,
    })
}
