//! Elements of `argv` and `envp` in alarms: those after the first few, and the program's name.
//!
//! The program finds them to be addresses within one object, whichever these are: two may be the same, and the text at one may be the end
//! of the text at another. A search is free to choose them, but no execution has such arguments. It has the same texts one after the other,
//! as Linux lays them out: where the replay goes the same way with these, the alarm is one of the program.

use crate::evidence::outcome::InputVector;
use cfa::bv::Bv;
use cfa::delivery::{DeliveryEvent, MOST_ELEMENTS};
use cfa::eval::{ArrayValue, Value};
use cfa::interpret::{InputEvent, Machine, RunLimits, run};
use cfa::{Cfa, Delivered, EdgeId, InputKind, Op, Sort, VarId};

/// What a run finds in the further elements of a vector.
struct Vector {
    /// What the input is called that the elements are.
    input: &'static str,
    /// The number of all elements.
    count: u64,
    /// The address of the first of these elements.
    elements: u64,
    /// The address of the object that holds the texts.
    object: u64,
    texts: Vec<Vec<u8>>,
}

/// A candidate with other arguments.
pub(super) struct Changed {
    pub candidate: InputVector,
    /// The edges at which the elements are read that have texts of their own now.
    pub edges: Vec<EdgeId>,
    /// Whether there are fewer arguments than before.
    pub is_shorter: bool,
}

/// Numbers of arguments with which a replay is tried, if there are more: searches often find that any large number will do.
pub(super) const LENGTHS: [u64; 3] = [16, 100, MOST_ELEMENTS];

/// The same candidate with at most `most` elements of `argv`, and texts for the further elements of `argv` and `envp`. `None` if the candidate
/// does not read any, or they are not kept in a way that is known.
pub(super) fn with_texts(cfa: &Cfa, candidate: &InputVector, limits: RunLimits, most: u64) -> Option<Changed> {
    let mut changed = Changed { candidate: candidate.clone(), edges: Vec::new(), is_shorter: false };
    let mut vectors = vectors(cfa, candidate, limits);
    if vectors.iter().any(|vector| vector.count > most && vector.input == "main.argv") {
        let (argc, sort) = input(cfa, |_, kind| matches!(kind, InputKind::Program(name) if **name == *"main.argc"))?;
        let Sort::Bv(width) = sort else { return None };
        changed.candidate.inputs.insert(argc, vec![Value::Bv(Bv::new(width, most))]);
        changed.is_shorter = true;
        vectors = self::vectors(cfa, &changed.candidate, limits);
    }
    for vector in vectors.iter().filter(|vector| !vector.texts.is_empty()) {
        changed.edges.push(vector.write(cfa, &mut changed.candidate)?);
    }
    (!changed.edges.is_empty()).then_some(changed)
}

/// Whether a run reads further elements.
pub(super) fn are_read(cfa: &Cfa, inputs: &[InputEvent]) -> bool {
    let is_vector = |kind: &InputKind| matches!(kind, InputKind::Approximate(name) if name.starts_with("main."));
    inputs.iter().any(|i| matches!(&cfa.edges[i.edge].op, Op::Input { kind, .. } if is_vector(kind)))
}

/// The same candidate with a short text for `argv[0]`. `None` if the candidate does not read it, or it is not kept in a way that is known.
pub(super) fn with_name(cfa: &Cfa, candidate: &InputVector, limits: RunLimits) -> Option<InputVector> {
    let is_text = |kind: &InputKind| matches!(kind, InputKind::Program(name) if **name == *"main.argv");
    let mut lengths = cfa.edges.iter_enumerated().filter_map(|(e, edge)| match &edge.op {
        Op::Input { var, kind } if is_text(kind) => Some((e, cfa.vars[*var].sort)),
        _ => None,
    });
    // The lengths are read in the order of the texts; if it is another one, the text does not change.
    let (length, Sort::Bv(width)) = lengths.next()? else { return None };
    let mut address = None;
    let mut source = candidate.inputs.clone();
    run(cfa, &mut source, limits, &mut |machine, edge| {
        let delivery = cfa.deliveries.get(&edge).filter(|delivery| delivery.what == Delivered::Argument);
        let name = delivery.filter(|delivery| machine.eval(delivery.of).to_u64() == Some(0));
        address = name.and_then(|delivery| machine.eval(delivery.address).to_u64()).or(address);
    });
    let mut changed = candidate.clone();
    let text = Text { object: address?, bytes: b"x" };
    text.write(cfa, &mut changed)?;
    changed.inputs.insert(length, vec![Value::Bv(Bv::new(width, text.bytes.len() as u64))]);
    Some(changed)
}

/// Bytes at the beginning of an object.
struct Text<'a> {
    object: u64,
    bytes: &'a [u8],
}

impl Text<'_> {
    /// Lets the object begin with these bytes, and a null byte. `None` if it is not in a memory of bytes, or has no room for them.
    fn write(&self, cfa: &Cfa, candidate: &mut InputVector) -> Option<()> {
        let of_object = |v: VarId| {
            let mut held = cfa.memory.objects.get(&v).into_iter().flatten();
            let has_room = |size: Option<u64>| size.is_some_and(|size| (self.bytes.len() as u64) < size);
            held.any(|o| cfa.objects[*o].base == Some(self.object) && has_room(cfa.objects[*o].size_bytes))
        };
        let initial = input(cfa, |v, kind| *kind == InputKind::Uninitialised && of_object(v))?;
        let mut memory = array(candidate, initial).filter(|memory| memory.elem_bits() == 8)?;
        for (at, byte) in (self.object..).zip(self.bytes.iter().chain([&0])) {
            memory.set_cell(at, Bv::new(8, u64::from(*byte)));
        }
        candidate.inputs.insert(initial.0, vec![Value::Array(memory)]);
        Some(())
    }
}

/// The vectors that have further elements.
fn vectors(cfa: &Cfa, candidate: &InputVector, limits: RunLimits) -> Vec<Vector> {
    let mut vectors = Vec::new();
    let mut source = candidate.inputs.clone();
    run(cfa, &mut source, limits, &mut |machine, edge| vectors.extend(Vector::at(cfa, machine, edge)));
    vectors
}

impl Vector {
    /// The vector that is handed over at this edge, if it has further elements. The texts are none if there are too many.
    fn at(cfa: &Cfa, machine: &Machine<'_>, edge: EdgeId) -> Option<Vector> {
        let delivery = cfa.deliveries.get(&edge)?;
        let input = match delivery.what {
            Delivered::FurtherArguments => "main.argv",
            Delivered::FurtherEntries => "main.envp",
            _ => return None,
        };
        let [first, elements, count, object] =
            [delivery.of, delivery.address, delivery.bytes, delivery.detail].map(|t| machine.eval(t).to_u64());
        let texts = DeliveryEvent::at(machine, cfa, edge).into_iter().filter_map(|event| event.bytes).collect();
        let (count, elements, object) = (count?, elements?, object?);
        (count > first?).then_some(Vector { input, count, elements, object, texts })
    }

    /// Lets the elements be addresses of texts one after the other. Returns the edge at which the elements are read.
    fn write(&self, cfa: &Cfa, candidate: &mut InputVector) -> Option<EdgeId> {
        let is_vector =
            |_: VarId, kind: &InputKind| matches!(kind, InputKind::Approximate(name) if **name == *self.input);
        let elements = input(cfa, is_vector)?;
        let mut vector = array(candidate, elements)?;
        let (mut element, mut bytes) = (self.elements, Vec::new());
        for text in &self.texts {
            vector.write(element, &Bv::new(cfa.pointer_bits, self.object + bytes.len() as u64));
            element += u64::from(cfa.pointer_bits / 8);
            bytes.extend(text.iter().chain([&0]));
        }
        Text { object: self.object, bytes: &bytes }.write(cfa, candidate)?;
        candidate.inputs.insert(elements.0, vec![Value::Array(vector)]);
        Some(elements.0)
    }
}

/// The only edge with an input of this kind, and its sort.
fn input(cfa: &Cfa, is_wanted: impl Fn(VarId, &InputKind) -> bool) -> Option<(EdgeId, Sort)> {
    let mut found = cfa.edges.iter_enumerated().filter_map(|(e, edge)| match &edge.op {
        Op::Input { var, kind } if is_wanted(*var, kind) => Some((e, cfa.vars[*var].sort)),
        _ => None,
    });
    let only = found.next()?;
    found.next().is_none().then_some(only)
}

/// The memory that the candidate reads first at an edge.
fn array(candidate: &InputVector, (edge, sort): (EdgeId, Sort)) -> Option<ArrayValue> {
    let read = candidate.inputs.get(&edge).and_then(|values| values.first()).filter(|value| value.sort() == sort);
    match read.cloned().unwrap_or_else(|| Value::zero(sort)) {
        Value::Array(array) => Some(array),
        Value::Bool(_) | Value::Bv(_) => None,
    }
}
