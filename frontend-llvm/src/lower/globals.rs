//! Initialisers of global variables, as writes to the memory at program start.

use super::{Lowered, Lowering};
use crate::ir::{Type, Value, ValueKind};
use crate::layout::Scalar;
use crate::libc_names::is_libc;
use cfa::Term;
use cfa::bv::Bv;
use cfa::term::Terms;
use rustc_hash::FxHashSet;

/// The initial contents of a global.
#[derive(Default)]
struct Image {
    /// Offset and value (in whole bytes) of everything that is not zero, or of everything if some part is undefined.
    writes: Vec<(u64, Term)>,
    /// The offsets of pointers.
    pointers: FxHashSet<u64>,
    /// Number of bytes that `writes` covers.
    covered: u64,
    /// Whether zeros are written scalar by scalar like everything else, instead of being filled in at once: either some bytes are
    /// undefined, or there are few scalars.
    explicit: bool,
    /// Whether there are so few scalars that even characters are written one by one.
    small: bool,
}

/// Maximum number of writes in one edge.
const WRITES_PER_EDGE: usize = 512;

/// Maximum number of scalars of a global that is written scalar by scalar.
const FEW_SCALARS: usize = 16;

/// Maximum length of one write of a string, in bytes.
const STRING_CHUNK: usize = 16;

impl<'m> Lowering<'_, 'm> {
    /// The memories that result from initialising `g` step by step. Each is a term over the previous one, which `mem` denotes in
    /// every step.
    pub(crate) fn initialisation(&mut self, g: Value<'m>) -> Lowered<Vec<Term>> {
        let Some(init) = g.initializer() else {
            let name = g.name();
            if is_libc(&name) {
                return Err(format!("variable {name} of the C library has no model").into());
            }
            if !self.resolver.in_library(g) {
                let object = self.global_object(g);
                self.declared_only.push(object);
            }
            return Ok(Vec::new());
        };
        if g.is_externally_initialized() {
            return Err("a global variable that is initialised outside the program".into());
        }
        let object = self.global_object(g);
        let base = self.addr(object);
        let size = self.layout.size(g.value_type());
        let (small, undefined) = (self.is_small(g), has_undefined(init));
        let mut image = Image { small, explicit: small || undefined, ..Image::default() };
        self.collect(init, g.value_type(), 0, &mut image)?;
        if image.explicit && !undefined {
            fill_gaps(&mut self.cfa.terms, &mut image, size);
        }
        let word = self.layout.pointer_bits;
        let mem = self.cfa.var_term(self.mem);
        let mut memory = mem;
        let mut steps = Vec::new();
        if image.covered < size && !image.explicit {
            let terms = &mut self.cfa.terms;
            let zero = terms.int(8, 0);
            let zeros = terms.const_array(word, zero);
            let (from, bytes) = (terms.int(word, 0), terms.int(word, size));
            memory = terms.copy(memory, base, zeros, from, bytes);
        }
        for (i, &(offset, value)) in image.writes.iter().enumerate() {
            if i > 0 && i % WRITES_PER_EDGE == 0 {
                steps.push(memory);
                memory = mem;
            }
            let at = self.cfa.terms.add_int(base, offset);
            memory = self.cfa.terms.write(memory, at, value);
            if image.pointers.contains(&offset) {
                self.facts.pointer_accesses.insert(memory);
            }
        }
        if memory != mem {
            steps.push(memory);
        }
        Ok(steps)
    }

    /// Whether a global has so few scalars that each is written separately, even if it is zero.
    fn is_small(&mut self, g: Value<'m>) -> bool {
        self.flat(g.value_type()).is_ok_and(|flat| flat.leaves.len() <= FEW_SCALARS && !flat.packed)
    }

    fn collect(&mut self, v: Value<'m>, ty: Type<'m>, at: u64, image: &mut Image) -> Lowered<()> {
        if v.is_undef() || v.is_null() && !image.explicit {
            return Ok(());
        }
        match v.kind() {
            ValueKind::LLVMConstantDataArrayValueKind => {
                let element = ty.element();
                let size = self.layout.size(element) as usize;
                let data = v.raw_data();
                let chunk = if self.is_byte(element) && !image.small { STRING_CHUNK } else { size };
                for (i, bytes) in data.chunks(chunk).enumerate() {
                    if bytes.iter().all(|b| *b == 0) && !image.explicit {
                        continue;
                    }
                    let mut wide = [0u8; STRING_CHUNK];
                    wide[..bytes.len()].copy_from_slice(bytes);
                    let value = Bv::from_u128(bytes.len() as u32 * 8, u128::from_le_bytes(wide));
                    let value = self.cfa.terms.constant(&value);
                    image.writes.push((at + (i * chunk) as u64, value));
                    image.covered += bytes.len() as u64;
                }
                Ok(())
            }
            ValueKind::LLVMConstantArrayValueKind => {
                let size = self.layout.size(ty.element());
                for i in 0..v.n_operands() {
                    self.collect(v.operand(i), ty.element(), at + u64::from(i) * size, image)?;
                }
                Ok(())
            }
            ValueKind::LLVMConstantStructValueKind => {
                for (i, field) in ty.fields().into_iter().enumerate() {
                    let offset = self.layout.field_offset(ty, i as u32);
                    self.collect(v.operand(i as u32), field, at + offset, image)?;
                }
                Ok(())
            }
            ValueKind::LLVMConstantAggregateZeroValueKind if self.flat(ty).is_err() => {
                self.zeros(at, self.layout.size(ty), image);
                Ok(())
            }
            _ => {
                let flat = self.flat(ty)?;
                let vals = self.constant(v)?;
                if flat.packed {
                    return Err("a global vector of single bits".into());
                }
                for (leaf, val) in flat.leaves.iter().zip(vals) {
                    if self.is_undef(val) {
                        continue;
                    }
                    if self.has_undef(val) {
                        return Err("a global of which a part is undefined".into());
                    }
                    let whole = self.cfa.terms.zext(leaf.bytes * 8, val);
                    image.writes.push((at + leaf.offset, whole));
                    image.covered += u64::from(leaf.bytes);
                    if leaf.scalar == Scalar::Pointer {
                        image.pointers.insert(at + leaf.offset);
                    }
                }
                Ok(())
            }
        }
    }

    fn zeros(&mut self, at: u64, bytes: u64, image: &mut Image) {
        let mut done = 0;
        while done < bytes {
            let n = (bytes - done).min(STRING_CHUNK as u64);
            let zero = self.cfa.terms.constant(&Bv::new(n as u32 * 8, 0));
            image.writes.push((at + done, zero));
            done += n;
        }
        image.covered += bytes;
    }
}

/// Writes zeros where an image of single scalars leaves padding, in pieces as wide as their alignment allows: if all accesses to
/// a region have the same width, the region may have wider cells.
fn fill_gaps(terms: &mut Terms, image: &mut Image, size: u64) {
    let mut taken = vec![false; size as usize];
    for &(offset, value) in &image.writes {
        let bytes = u64::from(terms.width(value) / 8);
        taken[offset as usize..(offset + bytes) as usize].fill(true);
    }
    let mut at = 0;
    while at < taken.len() {
        let free = |n: usize| taken.get(at..at + n).is_some_and(|bytes| !bytes.contains(&true));
        let widest = [8, 4, 2, 1].into_iter().find(|n| at.is_multiple_of(*n) && free(*n));
        if let Some(n) = widest {
            image.writes.push((at as u64, terms.int(n as u32 * 8, 0)));
        }
        at += widest.unwrap_or(1);
    }
}

/// Whether some part of a constant is undefined.
fn has_undefined(v: Value) -> bool {
    match v.kind() {
        ValueKind::LLVMUndefValueValueKind | ValueKind::LLVMPoisonValueKind => true,
        ValueKind::LLVMConstantArrayValueKind | ValueKind::LLVMConstantStructValueKind => {
            (0..v.n_operands()).any(|i| has_undefined(v.operand(i)))
        }
        _ => false,
    }
}
