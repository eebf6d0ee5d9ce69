//! The binary `kerf`.

fn main() {
    println!("kerf {}", env!("CARGO_PKG_VERSION"));
}
