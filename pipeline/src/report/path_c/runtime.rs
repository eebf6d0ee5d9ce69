//! What the statements of a path use that C does not have: operators on numbers of any width, bits of floats, memories.

use std::collections::BTreeSet;

/// Definitions by name, each after those that it uses.
const DEFINITIONS: [(&str, &str); 25] = [
    ("u128", "typedef unsigned __int128 u128;"),
    ("ones", "static u128 ones(unsigned width) { return ~(u128)0 >> (128 - width); }"),
    (
        "sx",
        "/* The number that the low bits of x are, with the sign in the highest of them. */\n\
         static __int128 sx(u128 x, unsigned width) {\n    u128 sign = (u128)1 << (width - 1);\n    return (__int128)((x ^ sign) - sign);\n}",
    ),
    ("udiv", "static u128 udiv(u128 a, u128 b, unsigned width) { return b ? a / b : ones(width); }"),
    ("urem", "static u128 urem(u128 a, u128 b) { return b ? a % b : a; }"),
    (
        "sdiv",
        "static u128 sdiv(u128 a, u128 b, unsigned width) {\n    if (!b) return sx(a, width) < 0 ? 1 : ones(width);\n    \
         if (b == ones(width)) return -a & ones(width);\n    return (u128)(sx(a, width) / sx(b, width)) & ones(width);\n}",
    ),
    (
        "srem",
        "static u128 srem(u128 a, u128 b, unsigned width) {\n    if (!b) return a;\n    if (b == ones(width)) return 0;\n    \
         return (u128)(sx(a, width) % sx(b, width)) & ones(width);\n}",
    ),
    (
        "shl",
        "static u128 shl(u128 a, u128 b, unsigned width) { return b < width ? (a << (unsigned)b) & ones(width) : 0; }",
    ),
    ("lshr", "static u128 lshr(u128 a, u128 b, unsigned width) { return b < width ? a >> (unsigned)b : 0; }"),
    (
        "ashr",
        "static u128 ashr(u128 a, u128 b, unsigned width) {\n    \
         return (u128)(sx(a, width) >> (b < width ? (unsigned)b : width - 1)) & ones(width);\n}",
    ),
    ("to_f32", "static float to_f32(uint32_t bits) { float x; memcpy(&x, &bits, 4); return x; }"),
    (
        "of_f32",
        "static uint32_t of_f32(float x) { uint32_t bits; memcpy(&bits, &x, 4); return isnan(x) ? 0x7fc00000u : bits; }",
    ),
    ("to_f64", "static double to_f64(uint64_t bits) { double x; memcpy(&x, &bits, 8); return x; }"),
    (
        "of_f64",
        "static uint64_t of_f64(double x) { uint64_t bits; memcpy(&bits, &x, 8); return isnan(x) ? 0x7ff8000000000000ull : bits; }",
    ),
    (
        "to_f80",
        "_Static_assert(LDBL_MANT_DIG == 64, \"this needs the long double of x86\");\n\
         static long double to_f80(u128 bits) { long double x = 0; memcpy(&x, &bits, 10); return x; }",
    ),
    (
        "of_f80",
        "static u128 of_f80(long double x) {\n    u128 bits = 0;\n    memcpy(&bits, &x, 10);\n    \
         return isnan(x) ? (u128)0x7fff << 64 | 0xc000000000000000ull : bits;\n}",
    ),
    (
        "to_integer",
        "/* Towards zero; zero if it is out of range. */\n\
         static u128 to_integer(long double x, unsigned width, bool has_sign) {\n    \
         long double end = ldexpl(1, (int)(has_sign ? width - 1 : width));\n    x = truncl(x);\n    \
         if (!(x < end && x >= (has_sign ? -end : 0))) return 0;\n    \
         return has_sign ? (u128)(__int128)x & ones(width) : (u128)x;\n}",
    ),
    (
        "memory",
        "/* Cells by address; all others have the value of the background. */\n\
         struct cell { uint64_t address, value; bool is_set; };\n\
         struct memory { unsigned cell_bits; uint64_t last_address, background; size_t set, size; struct cell *cells; };",
    ),
    (
        "cell_at",
        "static struct cell *cell_at(const struct memory *m, uint64_t address) {\n    \
         size_t i = (size_t)((address * 0x9e3779b97f4a7c15ull) >> 32) & (m->size - 1);\n    \
         while (m->cells[i].is_set && m->cells[i].address != address) i = (i + 1) & (m->size - 1);\n    \
         return &m->cells[i];\n}",
    ),
    (
        "get",
        "static uint64_t get(const struct memory *m, uint64_t address) {\n    \
         struct cell *cell = m->size ? cell_at(m, address & m->last_address) : NULL;\n    \
         return cell && cell->is_set ? cell->value : m->background;\n}",
    ),
    (
        "put",
        "static void put(struct memory *m, uint64_t address, uint64_t value) {\n    \
         if (2 * (m->set + 1) > m->size) {\n        struct memory old = *m;\n        m->size = old.size ? 2 * old.size : 64;\n        \
         m->cells = calloc(m->size, sizeof *m->cells);\n        if (!m->cells) exit(2);\n        \
         for (size_t i = 0; i < old.size; i++)\n            if (old.cells[i].is_set) *cell_at(m, old.cells[i].address) = old.cells[i];\n        \
         free(old.cells);\n    }\n    struct cell *cell = cell_at(m, address & m->last_address);\n    m->set += !cell->is_set;\n    \
         *cell = (struct cell){address & m->last_address, value, true};\n}",
    ),
    (
        "load",
        "static u128 load(const struct memory *m, uint64_t address, unsigned bits) {\n    u128 value = 0;\n    \
         for (unsigned i = 0; i < bits / m->cell_bits; i++)\n        \
         value |= (u128)get(m, address + i * (m->cell_bits / 8)) << (i * m->cell_bits);\n    return value;\n}",
    ),
    (
        "store",
        "static void store(struct memory *m, uint64_t address, u128 value, unsigned bits) {\n    \
         for (unsigned i = 0; i < bits / m->cell_bits; i++)\n        put(m, address + i * (m->cell_bits / 8), \
         (uint64_t)(value >> (i * m->cell_bits)) & (~0ull >> (64 - m->cell_bits)));\n}",
    ),
    (
        "fill",
        "/* All cells get this value. */\n\
         static void fill(struct memory *m, uint64_t value) {\n    free(m->cells);\n    \
         *m = (struct memory){m->cell_bits, m->last_address, value, 0, 0, NULL};\n}",
    ),
    (
        "copy",
        "/* A range of cells, which may overlap with where it comes from. */\n\
         static void copy(struct memory *m, uint64_t to, const struct memory *from_memory, uint64_t from, uint64_t bytes) {\n    \
         uint64_t *values = malloc((size_t)bytes * sizeof *values + 1);\n    if (!values) exit(2);\n    \
         uint64_t cell_bytes = m->cell_bits / 8, cells = bytes / cell_bytes;\n    \
         for (uint64_t i = 0; i < cells; i++) values[i] = get(from_memory, from + i * cell_bytes);\n    \
         for (uint64_t i = 0; i < cells; i++) put(m, to + i * cell_bytes, values[i]);\n    free(values);\n}",
    ),
];

/// Whether a definition has this name.
pub(super) fn defines(name: &str) -> bool {
    DEFINITIONS.iter().any(|(other, _)| *other == name)
}

/// The definitions of these names and of what they use, in order.
pub(super) fn definitions(used: &BTreeSet<&str>) -> String {
    let mut needed: Vec<&str> = Vec::new();
    for (name, text) in DEFINITIONS.iter().rev() {
        if used.contains(name) || needed.iter().any(|other| mentions(other, name)) {
            needed.push(text);
        }
    }
    needed.iter().rev().map(|text| format!("{text}\n\n")).collect()
}

/// Whether a name occurs as a word.
fn mentions(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(is_word) && !text[at + name.len()..].starts_with(is_word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_comes_with_what_it_uses_and_nothing_else() {
        let text = definitions(&BTreeSet::from(["sdiv", "load"]));
        let names = ["u128", "ones", "sx", "sdiv", "struct memory {", "*cell_at(", " get(", " load("];
        let at: Vec<usize> =
            names.iter().map(|name| text.find(name).unwrap_or_else(|| panic!("{name}: {text}"))).collect();
        assert!(at.is_sorted(), "{text}");
        assert!(!text.contains(" put(") && !text.contains("udiv") && !text.contains("f32"), "{text}");
        assert_eq!(definitions(&BTreeSet::new()), "");
    }
}
